"""From what was found to an answer with its citations, or to silence."""
