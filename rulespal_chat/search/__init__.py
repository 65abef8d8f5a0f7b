"""From a question to the sections and statements that may answer it."""
