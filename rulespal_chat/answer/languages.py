"""Questions in other languages: which one, and what to say to them.

The identifier is py3langid (Barbaresi, after Lui and Baldwin, https://aclanthology.org/P12-3005).
Among nearly 10,000 of our English training questions it is never as sure of another language as is
asked here. It takes a while to load, so that only a text with many unknown words is shown to it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

SURE = 0.8
UNKNOWN = 0.4  # share of a text's content words that no book has, from which it is looked at
BOOKS_ARE_ENGLISH = {
    "de": "Die Regelbücher sind auf Englisch. Stell die Frage bitte auf Englisch.",
    "es": "Los reglamentos están en inglés. Por favor, haz la pregunta en inglés.",
    "fr": "Les livres de règles sont en anglais. Merci de poser la question en anglais.",
    "it": "I regolamenti sono in inglese. Per favore, fai la domanda in inglese.",
    "nl": "De spelregels zijn in het Engels. Stel je vraag alsjeblieft in het Engels.",
    "pl": "Instrukcje są po angielsku. Proszę, zadaj pytanie po angielsku.",
    "pt": "Os livros de regras estão em inglês. Por favor, faça a pergunta em inglês.",
    "ru": "Книги правил на английском. Пожалуйста, задайте вопрос по-английски.",
}


def language(text: str) -> str | None:
    """The code of the language of a text, such as "de", if it surely isn't English; else None."""
    code, probability = _identifier().classify(text)
    return str(code) if code != "en" and probability >= SURE else None


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(["en", *BOOKS_ARE_ENGLISH])
    return identifier
