"""Trains the verifier that comes with RulesPal; its MODEL_CARD.md says on what, and how good it is.

    python evals/training/verify.py OUT [--epochs N] [--after N] [--without BOOK]

It starts from all-MiniLM-L6-v2 and learns to tell, reading statements and a sentence together,
whether the statements bear the sentence out (a cross-encoder: Nogueira and Cho,
https://arxiv.org/abs/1901.04085). The loss is binary cross-entropy. Seeded. Each epoch leaves
OUT.N behind, from which an interrupted run goes on with `--after N`.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from claims import Claims, Pair, Part, pairs, read_claims
from rich.console import Console
from rich.progress import track
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import AutoModel, get_linear_schedule_with_warmup

from rulespal_chat.corpus.library import load_library
from rulespal_chat.evaluation.minilm import packaged_model
from rulespal_chat.grounding.verifier import evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

SEED = 17
BATCH = 32
RATE = 8e-5
MAX_TOKENS = 256
SIZE = 384
DROPPED = 0.1
POOL = 24  # batches whose pairs are sorted by length, for less padding
KEPT = (0.95, 0.9, 0.8, 0.7)  # shares of the sentences in the book's terms that pass


class Verifier(torch.nn.Module):
    """The transformer over evidence and sentence, its tokens' mean, and one number from that."""

    def __init__(self) -> None:
        super().__init__()
        folder = packaged_model()
        self.transformer = AutoModel.from_pretrained(str(folder), attn_implementation="eager")
        self.dropout = torch.nn.Dropout(DROPPED)
        self.head = torch.nn.Linear(SIZE, 1)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="only_first")
        self._tokenizer.enable_padding()

    def forward(self, texts: Sequence[tuple[str, str]]) -> torch.Tensor:
        """One logit for each pair of evidence and sentence: (pairs,)."""
        encoded = self._tokenizer.encode_batch(list(texts))
        ids, mask, types = (
            torch.tensor([getattr(e, name) for e in encoded])
            for name in ("ids", "attention_mask", "type_ids")
        )
        hidden = self.transformer(input_ids=ids, attention_mask=mask, token_type_ids=types)
        return self.logits(hidden.last_hidden_state.float(), mask)

    def logits(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """The logits from token vectors (pairs, tokens, size)."""
        weights = mask.unsqueeze(-1).float()
        pooled = (hidden * weights).sum(1) / weights.sum(1)
        logits: torch.Tensor = self.head(self.dropout(pooled)).squeeze(-1)
        return logits


def main() -> None:
    """Trains, says after each epoch how good it is, and writes the weights to OUT."""
    options = _options()
    torch.manual_seed(SEED)
    random.seed(SEED)
    torch.set_num_threads(options.threads)
    console = Console()
    known = read_claims(load_library(Path("/nonexistent")))
    learnt = [c for c in known if c.part is Part.TRAIN and not _is_of(c, options.without)]
    held = [c for c in known if c.part is Part.TUNE or _is_of(c, options.without)]
    verifier = Verifier()
    if options.after:
        verifier.load_state_dict(torch.load(f"{options.out}.{options.after}"))
    rounds = len(pairs(learnt)) // BATCH
    console.print(f"{len(learnt):,} statements, {rounds * BATCH:,} pairs an epoch")
    steps = options.epochs * rounds
    optimizer = torch.optim.AdamW(verifier.parameters(), lr=RATE, weight_decay=0.01)
    schedule = get_linear_schedule_with_warmup(  # type: ignore[no-untyped-call]
        optimizer, steps // 10, steps
    )
    for _ in range(options.after * rounds):
        schedule.step()
    for epoch in range(options.after + 1, options.epochs + 1):
        started = time.monotonic()
        random.seed(SEED + epoch)
        torch.manual_seed(SEED + epoch)
        verifier.train()
        losses = []
        for batch in track(in_batches(pairs(learnt)), f"Epoch {epoch}", rounds, console=console):
            losses.append(step(verifier, batch, optimizer))
            schedule.step()
        spent = (time.monotonic() - started) / 60
        console.print(f"epoch {epoch}: loss {np.mean(losses):.3f}, {spent:.1f} minutes")
        torch.save(verifier.state_dict(), f"{options.out}.{epoch}")
        report(verifier, held, console)
    torch.save(verifier.state_dict(), options.out)


def in_batches(found: Sequence[Pair]) -> Iterator[list[Pair]]:
    """All pairs once but those that fill no batch, each batch of about one length."""
    size = BATCH * POOL
    for start in range(0, len(found), size):
        pool = sorted(found[start : start + size], key=lambda p: len(p.evidence + p.sentence))
        batches = [pool[n : n + BATCH] for n in range(0, len(pool) - BATCH + 1, BATCH)]
        random.shuffle(batches)
        yield from batches


def step(verifier: Verifier, batch: Sequence[Pair], optimizer: torch.optim.Optimizer) -> float:
    """Learns from a batch; its loss before that."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = verifier([(pair.evidence, pair.sentence) for pair in batch])
    gold = torch.tensor([float(pair.is_said) for pair in batch])
    loss = functional.binary_cross_entropy_with_logits(logits.float(), gold)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(verifier.parameters(), 1.0)
    optimizer.step()
    return float(loss.item())


def report(verifier: Verifier, held: Sequence[Claims], console: Console) -> None:
    """Says how many lies pass at limits that let shares of the sentences in book's terms pass."""
    kinds = {
        "terms": [(c, c.said[0]) for c in held],
        "free": [(c, c.said[1]) for c in held],
        "lies": [(c, lie) for c in held for lie in c.lies],
    }
    scores = {name: probabilities(verifier, found) for name, found in kinds.items()}
    for share in KEPT:
        limit = float(np.quantile(scores["terms"], 1 - share))
        passing = {name: float((got >= limit).mean()) for name, got in scores.items()}
        told = ", ".join(f"{name} {value:.3f}" for name, value in passing.items())
        console.print(f"  limit {limit:.3f}: {told}")


@torch.no_grad()
def probabilities(
    verifier: Verifier, found: Sequence[tuple[Claims, str]], size: int = 64
) -> NDArray[np.float64]:
    """How surely each statement bears out its sentence, 0 to 1."""
    verifier.eval()
    texts = [(evidence([(c.section.name, c.statement.text)]), sentence) for c, sentence in found]
    order = sorted(range(len(texts)), key=lambda n: len(texts[n][0] + texts[n][1]))
    scores = np.zeros(len(texts))
    for start in range(0, len(order), size):
        part = order[start : start + size]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = verifier([texts[n] for n in part])
        scores[part] = torch.sigmoid(logits.float()).numpy()
    return scores


def _is_of(claims: Claims, book: str | None) -> bool:
    return book is not None and claims.statement.id.startswith(f"{book}/")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--after", type=int, default=0, help="go on from OUT.N after epoch N")
    parser.add_argument("--without", metavar="BOOK", help="learn nothing of this book, to test it")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
