"""Whether a sentence says nothing but what its quotes say."""
