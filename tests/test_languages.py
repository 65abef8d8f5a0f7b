"""A question in another language is told, in that language, that the books are in English."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulespal_chat.answer.languages import BOOKS_ARE_ENGLISH, language
from rulespal_chat.types import Status

if TYPE_CHECKING:
    from rulespal_chat.pipeline import RulesPal

QUESTIONS = Path(__file__).parent.parent / "evals" / "questions"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("¿Cuántas cartas roba cada jugador al principio del turno?", "es"),
        ("Wie viele Karten zieht jeder Spieler am Anfang seines Zuges?", "de"),
        ("Combien de cartes chaque joueur pioche-t-il au début de son tour ?", "fr"),
        ("Сколько карт берёт игрок в начале хода?", "ru"),
        ("Quante carte pesca ogni giocatore all'inizio del turno?", "it"),
        ("Hoeveel kaarten trekt elke speler aan het begin van zijn beurt?", "nl"),
        ("Ile kart dobiera gracz na początku swojej tury?", "pl"),
        ("Quantas cartas cada jogador compra no início da vez?", "pt"),
        ("How many cards does each player draw at the start of the turn?", None),
        ("omen tokens?", None),
        ("ghoul fury goal 5p", None),
    ],
)
def test_the_language_of_a_question_is_told(text: str, code: str | None) -> None:
    assert language(text) == code


def test_no_question_of_the_evaluation_is_taken_for_another_language() -> None:
    asked = [
        json.loads(line)
        for path in sorted(QUESTIONS.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    english = [row["question"] for row in asked if row["kind"] != "out_of_scope"]
    assert len(english) > 500
    others = [text for text in english if language(text) is not None]
    assert [language(text) for text in others] == ["ru"]  # one of them is in Russian


def test_the_answer_is_in_the_language_of_the_question(toad_pal: RulesPal) -> None:
    answer = toad_pal.ask("Wie viele Karten zieht jeder Spieler am Anfang seines Zuges?")
    assert answer.status is Status.OUT_OF_SCOPE
    assert answer.text == BOOKS_ARE_ENGLISH["de"]
    assert (answer.citations, answer.computed) == ((), ())
