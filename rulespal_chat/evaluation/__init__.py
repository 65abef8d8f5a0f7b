"""Measuring answers: question sets, runs over them, figures, comparisons and reports."""
