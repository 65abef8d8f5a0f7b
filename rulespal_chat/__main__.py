"""`python -m rulespal_chat` is the command `rulespal`."""

from rulespal_chat.cli import main

if __name__ == "__main__":
    main()
