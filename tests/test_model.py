"""With the real model: what is promised of the whole, on the packaged books."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pexpect
import pytest

from rulespal_chat import weights
from rulespal_chat.search.passages import passages
from rulespal_chat.search.store import PASSAGES

if TYPE_CHECKING:
    from pathlib import Path

    from rulespal_chat.pipeline import RulesPal

pytestmark = pytest.mark.model

QUESTIONS = [
    "Five players, I'm the Ghoul: how much Fury do I need?",
    "can magic coins pay for hiring?",
    "what happens to tourists when the Kraken strikes",
    "does the shadow unicorn attack the ghost",
]


@pytest.fixture(scope="module")
def rulespal(model_home: Path) -> RulesPal:
    from rulespal_chat.pipeline import RulesPal

    return RulesPal.open_built(model_home)


def command(
    home: Path, *arguments: str, wrapped: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*wrapped, sys.executable, "-m", "rulespal_chat", *arguments],
        env=os.environ | {"RULESPAL_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_encoder_is_the_one_that_was_measured() -> None:
    weights.ENCODER.verify()


def test_unfolding_changes_no_vector(model_home: Path) -> None:
    import onnxruntime as ort
    from tokenizers import Tokenizer

    from rulespal_chat.search.embedders import OnnxEmbedder

    folder = weights.ENCODER.folder
    plainly = ort.SessionOptions()
    plainly.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    packaged = ort.InferenceSession(
        str(folder / weights.MODEL_FILE), plainly, providers=["CPUExecutionProvider"]
    )
    tokenizer = Tokenizer.from_file(str(folder / weights.TOKENIZER_FILE))
    tokenizer.no_padding()
    for question in QUESTIONS:
        ids = np.array([tokenizer.encode(question).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        vectors, tokens = packaged.run(["vectors", "tokens"], inputs)
        ours = OnnxEmbedder(weights.ENCODER.unfolded_folder(model_home)).encode([question])
        assert ours.vectors[0] == pytest.approx(vectors[0], abs=1e-4)
        assert ours.tokens[0] == pytest.approx(tokens[0, 1:-1], abs=1e-4)  # without [CLS], [SEP]


def test_vectors_have_length_1_and_do_not_depend_on_what_else_is_encoded(model_home: Path) -> None:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.search.embedders import OnnxEmbedder

    embedder = OnnxEmbedder(weights.ENCODER.unfolded_folder(model_home))
    texts = [p.embedded for b in load_library(model_home).books for p in passages(b)][::9]
    together = embedder.encode(texts)
    assert np.linalg.norm(together.vectors, axis=1) == pytest.approx(1.0, abs=1e-4)
    for text, vector, tokens in zip(texts, together.vectors, together.tokens, strict=True):
        alone = embedder.encode([text])
        assert alone.vectors[0] == pytest.approx(vector, abs=1e-3)
        assert alone.tokens[0] == pytest.approx(tokens, abs=1e-3)
        assert np.linalg.norm(tokens, axis=1) == pytest.approx(1.0, abs=1e-4)


def test_other_embedders_are_those_of_sentence_transformers() -> None:
    from rulespal_chat.evaluation.minilm import packaged_model
    from rulespal_chat.search.embedders import SentenceTransformerEmbedder, load_model

    folder = str(packaged_model())
    ours = SentenceTransformerEmbedder(folder).encode([*QUESTIONS, ""])
    theirs = load_model(folder).encode([*QUESTIONS, ""], normalize_embeddings=True)
    assert ours.vectors == pytest.approx(np.asarray(theirs), abs=1e-4)
    assert len(ours.tokens[-1]) == 0  # an empty text has no token of its own
    assert np.linalg.norm(ours.tokens[0], axis=1) == pytest.approx(1.0, abs=1e-4)


LANGCHAIN = """
import json, sys
from pathlib import Path
from langchain_chroma import Chroma
from rulespal_chat.search.embedders import OnnxEmbedder
from rulespal_chat.search.langchain import EmbedderEmbeddings
folder, model, *questions = sys.argv[1:]
embeddings = EmbedderEmbeddings(OnnxEmbedder(Path(model)))
store = Chroma("passages", embeddings, persist_directory=folder,
               create_collection_if_not_exists=False)
found = [store.similarity_search(question, k=5) for question in questions]
print(json.dumps([[(d.id, d.page_content, d.metadata) for d in row] for row in found]))
"""


def test_langchain_opens_the_same_collection_and_finds_the_same(model_home: Path) -> None:
    from rulespal_chat.search.embedders import OnnxEmbedder
    from rulespal_chat.search.index import index_folder, read_index
    from rulespal_chat.search.langchain import passage_document

    folder, model = index_folder(model_home, None), weights.ENCODER.unfolded_folder(model_home)
    # In a process of its own: Chroma opens a folder once in a process, with one set of settings.
    theirs = subprocess.run(
        [sys.executable, "-c", LANGCHAIN, folder / "chroma", model, *QUESTIONS],
        capture_output=True,
        text=True,
        check=True,
    )
    index = read_index(folder, OnnxEmbedder(model))
    games = [book.id for book in index.library.books]
    known = {p.id: passage_document(p) for book in index.library.books for p in passages(book)}
    for question, found in zip(QUESTIONS, json.loads(theirs.stdout), strict=True):
        vector = index.embedder.encode([question]).vectors[0]
        ours = list(index.store.nearest(PASSAGES, vector, 5, games))
        assert [row[0] for row in found] == ours
        documents = [known[passage] for passage in ours]
        assert [(row[1], row[2]) for row in found] == [
            (document.page_content, document.metadata) for document in documents
        ]


def test_the_nearest_are_exactly_the_nearest(rulespal: RulesPal, model_home: Path) -> None:
    from rulespal_chat.search.embedders import OnnxEmbedder
    from rulespal_chat.search.index import index_folder, read_index

    embedder = OnnxEmbedder(weights.ENCODER.unfolded_folder(model_home))
    store = read_index(index_folder(model_home, None), embedder).store
    all_passages = [p for book in rulespal.library.books for p in passages(book)]
    vectors = np.concatenate([embedder.encode([p.embedded]).vectors for p in all_passages[::3]])
    games = [book.id for book in rulespal.library.books]
    for question in QUESTIONS:
        vector = embedder.encode([question]).vectors[0]
        found = store.nearest(PASSAGES, vector, 400, games)
        assert len(found) == len(all_passages)
        for passage, score in zip(all_passages[::3], vectors @ vector, strict=True):
            assert found[passage.id] == pytest.approx(max(0.0, float(score)), abs=1e-4)


def test_what_the_index_was_made_of_stands_in_it(model_home: Path) -> None:
    from rulespal_chat.search.embedders import OnnxEmbedder
    from rulespal_chat.search.index import index_folder
    from rulespal_chat.search.store import Store

    metadata = Store(index_folder(model_home, None) / "chroma").metadata()
    assert metadata["embedder"] == OnnxEmbedder.identity


def test_a_question_is_answered_without_a_network(model_home: Path) -> None:
    offline = ("unshare", "--net", "--map-root-user")
    if (
        shutil.which("unshare") is None
        or subprocess.run([*offline, "true"], check=False).returncode
    ):
        pytest.skip("this system lets nobody cut the network off")
    result = command(model_home, "ask", QUESTIONS[0], wrapped=offline)
    assert result.returncode == 0
    assert "7 + the number of players" in result.stdout


def test_ask_in_a_pipe_is_the_ruling_then_where_it_stands(model_home: Path) -> None:
    result = command(model_home, "ask", QUESTIONS[0])
    assert (result.returncode, result.stderr) == (0, "")
    ruling, _, sources = result.stdout.partition("\nWord for word from:\n")
    beside = ("✓", "Assumed:", "Unclear:")
    lines = [line for line in ruling.splitlines() if not line.startswith(beside)]
    assert all(re.search(r" (?:\[\d\])+$", line) for line in lines if line)
    assert lines[0] == "12 Fury: 7 for the standard Ghoul + 5 players. [1][2]"
    assert "the Ghoul's Fury goal is 7 + the number of players, but at most 14. [1]" in ruling
    assert "Vast: The Fearsome Foes › The Ghoul › Difficulty Variants" in sources
    assert not set("─│┌┐└┘╭╮╰╯━┃\x1b") & set(result.stdout)


def test_json_is_the_contract_and_the_exit_code_says_how_it_went(model_home: Path) -> None:
    answered = command(model_home, "ask", QUESTIONS[0], "--json")
    fields = json.loads(answered.stdout)
    assert (answered.returncode, fields["status"]) == (0, "answered")
    assert fields["citations"][0]["section"] in {
        "The Ghoul > How to Win",
        "The Ghoul > Difficulty Variants",
    }
    for question, status in [
        ("who won the world cup in 2018", "out_of_scope"),
        ("how many villain cards are in the box", "not_in_rulebook"),
        ("monster?", "needs_input"),
    ]:
        result = command(model_home, "ask", question, "--json")
        assert (result.returncode, json.loads(result.stdout)["status"]) == (3, status)


def test_as_many_sections_are_found_as_asked_for(rulespal: RulesPal) -> None:
    for top in (1, 15, 40):
        assert len(rulespal.search("how does the Ghoul win?", top=top)) == top


def test_the_default_product_is_deterministic(model_home: Path) -> None:
    runs = [json.loads(command(model_home, "ask", q, "--json").stdout) for q in QUESTIONS[:2] * 2]
    for run in runs:
        del run["timings_ms"]
    assert runs[:2] == runs[2:]


def test_a_question_from_standard_input(model_home: Path) -> None:
    def ask(text: bytes) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "rulespal_chat", "ask", "-"],
            input=text,
            env=os.environ | {"RULESPAL_HOME": str(model_home)},
            capture_output=True,
            check=False,
        )

    answered = ask(b"\xef\xbb\xbfHow does the Vile Ghoul win?\r\n")
    assert answered.returncode == 0
    assert "Knight" in answered.stdout.decode()
    for bad, sentence in [
        (b"", "no words"),
        (b"caf\xe9?", "isn't UTF-8"),
        (b"win " * 50_000, "has more than 100,000 bytes"),
        ("é".encode() * 60_000, "has more than 100,000 bytes"),
    ]:
        result = ask(bad)
        assert result.returncode == 2
        assert sentence in result.stderr.decode()
        assert "Traceback" not in result.stderr.decode()


def test_a_changed_book_makes_a_new_index_and_the_old_one_is_pruned(
    model_home: Path, tmp_path: Path
) -> None:
    from conftest import TOADS

    home = tmp_path / "home"
    shutil.copytree(model_home, home)
    old = next((home / "index").iterdir())
    book = home / "books" / "toad-well" / "rulebook.md"
    book.parent.mkdir(parents=True)
    book.write_text(TOADS, encoding="utf-8")
    asked = command(home, "ask", "How often may the witch stir?", "--game", "toad quest")
    assert (asked.returncode, asked.stdout.splitlines()[0]) == (0, "The Witch may stir once. [1]")
    assert "Building the search index" in asked.stderr
    assert len(list((home / "index").iterdir())) == 2
    doctor = command(home, "doctor")
    assert "✓ Old indexes: 1\n  Next: rulespal index --prune" in doctor.stdout
    assert command(home, "index", "--prune").stdout == "Removed 1 old search index.\n"
    assert old not in list((home / "index").iterdir())
    assert command(home, "index").stdout.startswith("The search index is up to date")


def test_an_interrupted_build_leaves_nothing_that_is_ever_opened(tmp_path: Path) -> None:
    home = tmp_path / "home"
    # A shell that starts the tests in the background makes them, and so the program, deaf to it.
    listening = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('rulespal_chat', run_name='__main__')"
    )
    with subprocess.Popen(
        [sys.executable, "-c", listening, "index"],
        env=os.environ | {"RULESPAL_HOME": str(home)},
        stderr=subprocess.PIPE,
        text=True,
    ) as building:
        deadline = time.monotonic() + 120
        while not list(home.glob("index/.unfinished-*")) and time.monotonic() < deadline:
            time.sleep(0.1)
        building.send_signal(signal.SIGINT)
        _, stderr = building.communicate()
    assert building.returncode == 130
    assert "Traceback" not in stderr
    assert list((home / "index").iterdir()) == []


def test_doctor_is_content_with_a_whole_installation(model_home: Path) -> None:
    result = command(model_home, "doctor", "--json")
    assert (result.returncode, json.loads(result.stdout)["ok"]) == (0, True)
    lines = command(model_home, "doctor").stdout.splitlines()
    assert "✓ Embedder: rulespal-minilm, SHA-256 as measured" in lines


def test_any_other_embedder_can_be_named(tmp_path: Path, model_home: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(model_home, home)

    def ask(embedder: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "rulespal_chat", "ask", QUESTIONS[0]],
            env=os.environ
            | {
                "RULESPAL_HOME": str(home),
                "RULESPAL_EMBEDDER": str(embedder),
                "HF_HUB_OFFLINE": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )

    missing = ask(tmp_path / "no" / "model")
    assert missing.returncode == 1
    assert "can't be loaded" in missing.stderr
    assert "Traceback" not in missing.stderr
    from rulespal_chat.evaluation.minilm import packaged_model

    # Another model by its folder: an answer from an index of its own.
    other = ask(packaged_model())
    assert other.returncode == 0
    assert "Word for word from:" in other.stdout
    assert len(list((home / "index").iterdir())) == 2


def test_a_chat_on_a_terminal(model_home: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "rulespal_chat", "chat", "--game", "evil corp"],
        env=os.environ | {"RULESPAL_HOME": str(model_home), "TERM": "xterm-256color"},
        dimensions=(40, 60),
        encoding="utf-8",
        timeout=60,
    )
    child.expect_exact("Ask about the rules. /help lists commands, /quit ends.")
    child.expect_exact("›")
    child.sendline("can I look behind my partner's screen?")
    child.expect_exact("looking behind the screen of a partner")
    child.expect_exact("Word for word from:")
    child.sendcontrol("c")
    child.sendline("/quit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert "look behind my partner's screen" in (model_home / "history").read_text(encoding="utf-8")
