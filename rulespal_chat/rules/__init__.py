"""The symbolic rules engine: what the rules determine is computed, checked and solved, with why."""
