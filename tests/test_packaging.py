"""What is installed is whole: the wheel alone, in a fresh environment, answers."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.install
def test_the_wheel_answers_in_a_fresh_environment(tmp_path: Path) -> None:
    def run(*command: object) -> str:
        return subprocess.run(
            [str(word) for word in command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation"]
    run(*build, "--outdir", tmp_path / "dist", ROOT)
    (wheel,) = (tmp_path / "dist").iterdir()
    venv.create(tmp_path / "fresh", with_pip=True)
    run(tmp_path / "fresh/bin/python", "-m", "pip", "install", "--quiet", wheel)
    shown = run(tmp_path / "fresh/bin/rulespal", "show", "evil corp", "balance of power")
    assert shown.startswith("Evil Corp.\n\nClarifications > Balance of Power\n\n- ")
    assert "4 gold coins" in shown
    listed = run(tmp_path / "fresh/bin/rulespal", "games")
    assert listed.count("comes with RulesPal") == 3
    answered = run(tmp_path / "fresh/bin/rulespal", "ask", "How does the Vile Ghoul win?")
    assert "Word for word from:\n  [1]" in answered
    where = run(
        tmp_path / "fresh/bin/python",
        "-c",
        "from rulespal_chat.corpus.places import packaged_corpus as p; print(p())",
    )
    assert where.strip().endswith("site-packages/rulespal_chat/_corpus")
