"""The doctor names what is wrong, and the command that mends it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from conftest import TOADS

from rulespal_chat import health, weights
from rulespal_chat.errors import EvaluationError, IndexBuildError
from rulespal_chat.search.index import index_folder
from rulespal_chat.search.store import Store
from rulespal_chat.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Result


def findings(home: Path, embedder: str | None = "other") -> dict[str, health.Finding]:
    return {
        finding.what: finding for finding in health.examine(Settings(home=home, embedder=embedder))
    }


def test_nothing_is_wrong_before_the_first_question(home: Path) -> None:
    found = findings(home)
    assert all(finding.is_well for finding in found.values())
    assert found["Search index"].found == "not built yet"
    assert found["Search index"].mend == "rulespal index"
    assert found["Your data"].found == str(home)
    assert found["Embedder"].found == "other (RULESPAL_EMBEDDER)"


def test_a_missing_package_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_PACKAGES", ("no-such-package",))
    found = findings(home)["no-such-package"]
    assert (found.is_well, found.found, found.mend) == (False, "not installed", "make install")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = findings(tmp_path / "file" / "home")["Your data"]
    assert not found.is_well
    assert found.found.endswith("can't be written")


def test_a_broken_book_and_an_old_index_are_named(
    home: Path, add_book: Callable[[str, str | bytes], Path]
) -> None:
    add_book("toad-well", TOADS.replace("# Toad Quest: The Well", "# Another"))
    (home / "index" / "abc").mkdir(parents=True)
    found = findings(home)
    assert not found["Book"].is_well
    assert "the heading 'Another' of level 1" in found["Book"].found
    assert (found["Old indexes"].found, found["Old indexes"].mend) == (
        "1",
        "rulespal index --prune",
    )


def test_an_encoder_that_is_not_the_one_measured_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "ENCODER", replace(weights.ENCODER, sha256="0" * 64))
    found = findings(home, None)["Embedder"]
    assert not found.is_well
    checksum = weights.ENCODER.checksum()[:12]
    assert (
        found.found == f"The encoder rulespal-minilm has the SHA-256 {checksum}…, not 000000000000…"
    )
    assert found.mend == "pip install --force-reinstall rulespal-chat"


def test_a_missing_encoder_is_named(tmp_path: Path) -> None:
    with pytest.raises(IndexBuildError, match=r"isn't in .*\. Next: pip install --force-reinstall"):
        replace(weights.ENCODER, folder=tmp_path).verify()


def test_a_missing_model_of_the_recipe_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulespal_chat.evaluation import minilm

    monkeypatch.setattr(minilm, "SHA256", "0" * 64)
    with pytest.raises(EvaluationError, match="have the SHA-256 53aa51172d14…, not 000000000000…"):
        minilm.packaged_model()
    monkeypatch.setattr(minilm, "find_spec", lambda _name: None)
    with pytest.raises(EvaluationError, match=r"isn't installed\. Next: pip install"):
        minilm.packaged_model()


def test_an_index_that_is_empty_or_broken_is_named(home: Path) -> None:
    with pytest.raises(IndexBuildError, match="has no search index"):
        Store(home)
    assert not home.exists()
    broken = index_folder(home, "other") / "chroma"
    broken.mkdir(parents=True)
    (broken / "chroma.sqlite3").write_text("not a database")
    with pytest.raises(IndexBuildError, match="is broken"):
        Store(broken)


def test_the_command_lists_and_its_exit_code_says_whether_all_is_well(
    rulespal: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    well = (health.Finding("Python", "3"), health.Finding("Index", "none", mend="rulespal index"))
    monkeypatch.setattr(health, "examine", lambda *_: well)
    assert rulespal("doctor").out == "✓ Python: 3\n✓ Index: none\n  Next: rulespal index\n"
    ill = (*well, health.Finding("Book", "torn", is_well=False, mend="glue it"))
    monkeypatch.setattr(health, "examine", lambda *_: ill)
    result = rulespal("doctor")
    assert (result.code, result.out.splitlines()[-2:]) == (
        1,
        ["✗ Book: torn", "  Mend it: glue it"],
    )


def test_a_broken_library_or_model_is_one_sentence(tmp_path: Path) -> None:
    from conftest import WordEmbedder

    from rulespal_chat.corpus.parser import parse_rulebook
    from rulespal_chat.search.embedders import OnnxEmbedder
    from rulespal_chat.search.index import read_index, write_index
    from rulespal_chat.types import Library

    book = parse_rulebook(TOADS, tmp_path / "toads.md")
    write_index(tmp_path, Library((book,)), WordEmbedder(), lambda _done, _total: None)
    for content in ("", "{}", "[]", '{"problems": [], "books": [{}]}'):
        (tmp_path / "library.json").write_text(content)
        with pytest.raises(IndexBuildError, match=r"is broken .* Next: rulespal index --rebuild"):
            read_index(tmp_path, WordEmbedder())
    (tmp_path / weights.MODEL_FILE).write_text("not a model")
    with pytest.raises(IndexBuildError, match=r"The encoder in .* is broken"):
        OnnxEmbedder(tmp_path)


def test_a_home_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    from rulespal_chat.search.index import build_index

    (tmp_path / "file").write_text("")
    with pytest.raises(IndexBuildError, match="The search index can't be written to"):
        build_index(tmp_path / "file", None, lambda _done, _total: None)


def test_a_chat_model_that_cannot_be_opened_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(home, None)["Chat model"].found == "none: answers are quotes"
    monkeypatch.setenv("RULESPAL_MODEL", "ollama:llama3.2")
    found = findings(home, None)["Chat model"]
    assert found.found == "ollama:llama3.2 can be opened, and wasn't asked"
    monkeypatch.setenv("RULESPAL_MODEL", "llama")
    found = findings(home, None)["Chat model"]
    assert not found.is_well
    assert found.found == "A model is named provider:model, which 'llama' isn't"


def test_a_verifier_that_is_not_the_one_measured_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert findings(home, None)["Verifier"].is_well
    monkeypatch.setattr(health, "VERIFIER", replace(weights.VERIFIER, sha256="0" * 64))
    assert not findings(home, None)["Verifier"].is_well
