"""How books and answers look: on a terminal with rich, in a pipe as plain lines."""
