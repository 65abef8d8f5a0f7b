"""Trains the encoder that comes with RulesPal; MODEL_CARD.md says on what, and how good it is.

    python evals/training/train.py OUT [--texts FOLDER] [--epochs N] [--after N]

It starts from all-MiniLM-L6-v2 and learns to bring a player's question near to the statement that
answers it, both by one vector for each text and by one for each token (MaxSim: Khattab and Zaharia,
ColBERT, https://arxiv.org/abs/2004.12832). The loss is the softmax over the texts of a batch and
one hard negative for each question (Karpukhin et al., https://arxiv.org/abs/2004.04906), which the
encoder of the moment finds anew for each epoch. Seeded; with one number of threads it repeats.
Each epoch leaves OUT.N behind, from which an interrupted run goes on with `--after N`.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from examples import Example, Text, of_books, of_open_texts
from rich.console import Console
from rich.progress import track
from tokenizers import Tokenizer
from torch.nn import functional
from transformers import AutoModel, get_linear_schedule_with_warmup

from rulespal_chat.corpus.library import load_library
from rulespal_chat.evaluation.minilm import packaged_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

SEED = 17
BATCH = 32
TEMPERATURE = 0.05
RATE = 4e-5
MAX_TOKENS = 192
HARDEST = 5  # the hard negative is one of so many nearest texts of other sections
PASSAGE_SHARE = 0.1  # of the positives are whole passages
CHUNK = 16  # texts of about the same length go through the encoder together
SPECIAL = (101, 102)  # [CLS] and [SEP], which MaxSim leaves out


@dataclass
class Batch:
    """Questions with the texts that they are to find, one each, and one hard negative each."""

    questions: list[str]
    texts: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    twins: list[str] = field(default_factory=list)


class Encoder(torch.nn.Module):
    """The transformer, with a vector for each text and one for each token."""

    def __init__(self) -> None:
        super().__init__()
        folder = packaged_model()
        self.transformer = AutoModel.from_pretrained(str(folder))
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()

    def forward(self, texts: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Unit vectors (texts, size), token vectors (texts, tokens, size), and which count."""
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = torch.tensor([e.ids for e in encoded])
        mask = torch.tensor([e.attention_mask for e in encoded])
        hidden = self.transformer(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        pooled = (hidden * mask.unsqueeze(-1)).sum(1) / mask.sum(1, keepdim=True)
        counted = mask.bool() & ~torch.isin(ids, torch.tensor(SPECIAL))
        return functional.normalize(pooled, dim=-1), functional.normalize(hidden, dim=-1), counted


def main() -> None:
    """Trains, and writes the weights to OUT."""
    options = _options()
    torch.manual_seed(SEED)
    random.seed(SEED)
    torch.set_num_threads(options.threads)
    console = Console()
    texts, examples = of_books(load_library(Path("/nonexistent")))
    if options.texts:
        more, questions = of_open_texts(options.texts)
        examples += [Example(e.question, e.text + len(texts)) for e in questions]
        texts += more
    random.shuffle(examples)
    examples = examples[: options.limit]
    console.print(f"{len(examples):,} questions on {len(texts):,} texts")
    encoder = Encoder()
    if options.after:
        encoder.transformer.load_state_dict(torch.load(f"{options.out}.{options.after}"))
    rounds = len(examples) // BATCH
    steps = options.epochs * rounds
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=RATE, weight_decay=0.01)
    warmup = steps // 10
    schedule = get_linear_schedule_with_warmup(  # type: ignore[no-untyped-call]
        optimizer, warmup, steps
    )
    for _ in range(options.after * rounds):
        schedule.step()
    for epoch in range(options.after + 1, options.epochs + 1):
        started = time.monotonic()
        random.seed(SEED + epoch)
        torch.manual_seed(SEED + epoch)
        hard = hard_negatives(encoder, texts, examples)
        batches = in_batches(texts, examples, hard)
        losses = []
        encoder.train()
        for batch in track(batches, f"Epoch {epoch}", rounds, console=console):
            losses.append(learnt(encoder, batch, optimizer))
            schedule.step()
        spent = (time.monotonic() - started) / 60
        console.print(f"epoch {epoch}: loss {np.mean(losses):.3f}, {spent:.1f} minutes")
        torch.save(encoder.transformer.state_dict(), f"{options.out}.{epoch}")
    torch.save(encoder.transformer.state_dict(), options.out)


def in_batches(
    texts: Sequence[Text], examples: Sequence[Example], hard: Sequence[int]
) -> Iterator[Batch]:
    """All questions once, in random order, save those that fill no batch."""
    order = random.sample(range(len(examples)), len(examples))
    for start in range(0, len(order) - BATCH + 1, BATCH):
        yield batch_of(texts, examples, hard, order[start : start + BATCH])


def learnt(encoder: Encoder, batch: Batch, optimizer: torch.optim.Optimizer) -> float:
    """Learns from a batch; its loss before that."""
    loss = batch_loss(encoder, batch)
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
    optimizer.step()
    return float(loss.item())


def batch_of(
    texts: Sequence[Text], examples: Sequence[Example], hard: Sequence[int], chosen: Sequence[int]
) -> Batch:
    """The questions of these numbers with their texts, and with their hard negatives after them."""
    batch = Batch([examples[n].question for n in chosen])
    positives = [texts[examples[n].text] for n in chosen]
    negatives = [texts[hard[n]] for n in chosen]
    for text in (*positives, *negatives):
        whole = text.passage if text.passage and random.random() < PASSAGE_SHARE else text.text
        batch.texts.append(whole)
        batch.places.append(text.place)
        batch.twins.append(text.twin)
    named = [examples[n].names_role for n in chosen]
    for place, is_named in enumerate(named):  # then its twin is a negative like any other
        if is_named:
            batch.twins[place] = ""
    return batch


def batch_loss(encoder: Encoder, batch: Batch) -> torch.Tensor:
    """The softmax losses of the single vectors and of MaxSim, added."""
    order = sorted(range(len(batch.texts)), key=lambda n: len(batch.texts[n]))
    near, late = [], []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        asked, asked_tokens, asked_counted = encoder(batch.questions)
        for start in range(0, len(order), CHUNK):
            part = [batch.texts[n] for n in order[start : start + CHUNK]]
            told, told_tokens, told_counted = encoder(part)
            near.append(asked @ told.T)
            late.append(max_sim(asked_tokens, asked_counted, told_tokens, told_counted))
    target = torch.tensor([order.index(n) for n in range(len(batch.questions))])
    rows = [_not_negatives(batch, row) for row in range(len(batch.questions))]
    same = torch.tensor(rows)[:, order]
    scores = [torch.cat(parts, 1).float().masked_fill(same, -1e4) for parts in (near, late)]
    losses = [functional.cross_entropy(score / TEMPERATURE, target) for score in scores]
    return losses[0] + losses[1]


def max_sim(
    asked: torch.Tensor, asked_counted: torch.Tensor, told: torch.Tensor, told_counted: torch.Tensor
) -> torch.Tensor:
    """The mean over a question's tokens of its best similarity to a text's: (questions, texts)."""
    rows = []
    flat = told.flatten(0, 1)
    for tokens, counted in zip(asked, asked_counted, strict=True):
        similar = (tokens[counted] @ flat.T).unflatten(1, told.shape[:2])
        rows.append(similar.masked_fill(~told_counted, -1.0).amax(2).mean(0))
    return torch.stack(rows)


def _not_negatives(batch: Batch, row: int) -> list[bool]:
    """Which texts may answer the question as well as its own: of its section, or of its twin."""
    place, twin = batch.places[row], batch.twins[row]
    return [
        other != row and (of == place or bool(twin and twin == batch.twins[other]))
        for other, of in enumerate(batch.places)
    ]


@torch.no_grad()
def hard_negatives(
    encoder: Encoder, texts: Sequence[Text], examples: Sequence[Example]
) -> list[int]:
    """For each question a text of another section of the same book, one of those found first."""
    encoder.eval()
    told = embedded(encoder, [t.text for t in texts])
    asked = embedded(encoder, [e.question for e in examples])
    places, twins, books = (
        np.array([getattr(t, name) for t in texts]) for name in ("place", "twin", "book")
    )
    chosen = []
    for example, vector in zip(examples, asked, strict=True):
        own = texts[example.text]
        allowed = (books == own.book) & (places != own.place)
        if own.twin and not example.names_role:
            allowed &= twins != own.twin
        scores = np.where(allowed, told @ vector, -2.0)
        chosen.append(int(random.choice(np.argsort(-scores)[:HARDEST])))
    return chosen


def embedded(encoder: Encoder, texts: Sequence[str], size: int = 64) -> NDArray[np.float32]:
    """The unit vectors of texts, which go through the encoder sorted by length."""
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    rows: list[NDArray[np.float32]] = [np.empty(0, np.float32)] * len(texts)
    for start in range(0, len(order), size):
        part = order[start : start + size]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            vectors, _, _ = encoder([texts[n] for n in part])
        for number, vector in zip(part, vectors.numpy(), strict=True):
            rows[number] = vector
    return np.stack(rows)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--after", type=int, default=0, help="go on from OUT.N after epoch N")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
