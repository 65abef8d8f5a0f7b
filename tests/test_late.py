"""Late interaction: numbers that can be computed by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from rulespal_chat.errors import IndexBuildError
from rulespal_chat.search.late import TokenVectors

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

EAST, NORTH, BETWEEN = (1.0, 0.0), (0.0, 1.0), (0.6, 0.8)


def rows(*vectors: tuple[float, float]) -> NDArray[np.float32]:
    return np.array(vectors, dtype=np.float32).reshape(-1, 2)


@pytest.fixture
def kept(tmp_path: Path) -> TokenVectors:
    TokenVectors.write(tmp_path, [rows(EAST, NORTH), rows(BETWEEN), rows(), rows(NORTH)])
    return TokenVectors(tmp_path)


def test_each_token_of_a_question_takes_the_best_of_a_text(kept: TokenVectors) -> None:
    similar = kept.similar(rows(EAST, NORTH), [0, 1, 3])
    assert similar == pytest.approx(np.array([[1.0, 1.0], [0.6, 0.8], [0.0, 1.0]]), abs=1e-3)


def test_only_the_texts_that_are_named_have_scores(kept: TokenVectors) -> None:
    assert kept.similar(rows(NORTH), [3]) == pytest.approx(np.array([[1.0]]))
    assert kept.similar(rows(NORTH), []).shape == (0, 1)


def test_what_has_no_token_matches_nothing(kept: TokenVectors) -> None:
    assert kept.similar(rows(EAST), [2]) == pytest.approx(np.array([[0.0]]))
    assert kept.similar(rows(), [0, 1]).shape == (2, 0)


def test_what_points_away_scores_0_not_less(tmp_path: Path) -> None:
    TokenVectors.write(tmp_path, [rows((-1.0, 0.0))])
    assert TokenVectors(tmp_path).similar(rows(EAST), [0]) == pytest.approx(np.array([[0.0]]))


@pytest.mark.parametrize("content", [b"", b"not an array"])
def test_a_file_that_is_missing_or_torn_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(IndexBuildError, match=r"is broken .* Next: rulespal index --rebuild"):
        TokenVectors(tmp_path)
    TokenVectors.write(tmp_path, [rows(EAST)])
    (tmp_path / "tokens.npy").write_bytes(content)
    with pytest.raises(IndexBuildError, match="is broken"):
        TokenVectors(tmp_path)


def test_files_that_do_not_belong_together_are_one_sentence(tmp_path: Path) -> None:
    TokenVectors.write(tmp_path, [rows(EAST), rows(NORTH, EAST)])
    np.save(tmp_path / "tokens.npy", rows(EAST))
    with pytest.raises(IndexBuildError, match="is broken"):
        TokenVectors(tmp_path)


def test_an_empty_library_has_no_tokens(tmp_path: Path) -> None:
    TokenVectors.write(tmp_path, [])
    assert TokenVectors(tmp_path).similar(rows(EAST), []).shape == (0, 1)
