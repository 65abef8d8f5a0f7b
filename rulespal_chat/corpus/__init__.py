"""Rulebooks: from Markdown to `Rulebook`, back again, and which books there are."""
