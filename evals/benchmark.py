"""Times RulesPal against the usual recipe: python evals/benchmark.py [--runs 5].

The recipe is what tutorials build: passages of 1,000 characters by a recursive splitter, the same
model through HuggingFaceEmbeddings, langchain_chroma, the four nearest. Both run as whole processes
on indexes that are there, turn by turn, so that a busy machine slows both; ratios are what counts.
Needs langchain-huggingface and langchain-text-splitters (make install brings them).
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTION = "Five players, I'm the Ghoul: how much Fury do I need?"
WARM = (
    "How does the Vile Ghoul win?",
    "can magic coins pay for hiring?",
    "what happens when the Kraken is released",
    "how far can the cave ghost move",
    "does the shadow unicorn attack the ghost?",
    "how many cards do I draw in a 4-player game of Evil Corp",
)

RECIPE = """
import sys, warnings
warnings.simplefilter("ignore")
from langchain_chroma import Chroma
from langchain_huggingface import HuggingFaceEmbeddings
model, folder, question = sys.argv[1:4]
embeddings = HuggingFaceEmbeddings(model_name=model, model_kwargs={"device": "cpu"})
store = Chroma("recipe", embeddings, persist_directory=folder)
if question == "--build":
    from pathlib import Path
    from langchain_text_splitters import RecursiveCharacterTextSplitter
    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200)
    store.add_texts(splitter.split_text("\\n\\n".join(Path(p).read_text() for p in sys.argv[4:])))
else:
    for document in store.similarity_search(question, k=4):
        print(document.page_content)
"""


def timed(command: list[str], environment: dict[str, str]) -> tuple[float, float]:
    """Runs a command: seconds, and its peak memory in MB."""
    started = time.perf_counter()
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{command[:3]} ended with {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def cold(runs: int, ours: list[str], recipe: list[str], environment: dict[str, str]) -> None:
    """Prints the medians of whole processes, run turn by turn."""
    times: dict[str, list[tuple[float, float]]] = {"rulespal ask": [], "usual recipe": []}
    for _ in range(runs):
        times["rulespal ask"].append(timed(ours, environment))
        times["usual recipe"].append(timed(recipe, environment))
    medians = {}
    for name, rows in times.items():
        seconds, memory = (statistics.median(column) for column in zip(*rows, strict=True))
        medians[name] = seconds
        print(f"{name:14} cold {seconds:6.2f} s, peak {memory:5.0f} MB (medians of {runs})")
    print(f"ratio {medians['usual recipe'] / medians['rulespal ask']:.1f}")


def warm(rounds: int) -> None:
    """Prints how long answers take in a process that has answered one."""
    from rulespal_chat.pipeline import RulesPal

    rulespal = RulesPal.open()
    rulespal.ask(QUESTION)
    times = []
    for question in WARM * rounds:
        started = time.perf_counter()
        rulespal.ask(question)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    p95 = times[int(0.95 * (len(times) - 1))]
    print(
        f"warm answers: p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms (of {len(times)})"
    )


def main() -> None:
    """Builds both indexes, then times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    from rulespal_chat.corpus.places import packaged_corpus
    from rulespal_chat.evaluation.minilm import packaged_model

    books = [str(path) for path in sorted(packaged_corpus().glob("*/rulebook.md"))]
    with tempfile.TemporaryDirectory() as folder:
        home, store = Path(folder) / "home", Path(folder) / "recipe"
        environment = os.environ | {"RULESPAL_HOME": str(home), "HF_HUB_OFFLINE": "1"}
        os.environ["RULESPAL_HOME"] = str(home)
        rulespal = [sys.executable, "-m", "rulespal_chat"]
        seconds, _ = timed([*rulespal, "index"], environment)
        print(f"index of {len(books)} books built in {seconds:.0f} s")
        recipe = [sys.executable, "-c", RECIPE, str(packaged_model()), str(store)]
        timed([*recipe, "--build", *books], environment)
        cold(options.runs, [*rulespal, "ask", QUESTION], [*recipe, QUESTION], environment)
        warm(10)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak of the warm process {peak:.0f} MB")


if __name__ == "__main__":
    main()
