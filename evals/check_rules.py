"""Checks a rule file while it is written: python -m evals.check_rules FILE GAME.

Loads it against the game's book, names each problem with its line, and runs the examples.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rulespal_chat.corpus.parser import read_rulebook
from rulespal_chat.corpus.places import RULEBOOK, packaged_corpus
from rulespal_chat.errors import CorpusError
from rulespal_chat.rules.examples import failures
from rulespal_chat.rules.loading import read_rules


def main() -> int:
    """Prints what is wrong; 1 if anything is."""
    path, game = Path(sys.argv[1]), sys.argv[2]
    book = read_rulebook(packaged_corpus() / game / RULEBOOK)
    try:
        rules = read_rules(path, book)
    except CorpusError as error:
        print(error)
        return 1
    wrong = [str(problem) for problem in rules.problems] + list(failures(rules))
    for line in wrong:
        print(line)
    examples = sum(len(rule.examples) for rule in rules.rules.values())
    print(
        f"{len(rules.rules)} rules, {examples} examples, {len(wrong)} problems",
        "" if wrong else "- ok",
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
