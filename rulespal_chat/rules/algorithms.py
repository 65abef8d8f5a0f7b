"""What a formula can't say: pure functions that a step of a rule file names.

Each takes the values of the step's arguments, in order, and returns the value with the sentences
that explain it, or raises `SilentError` where the book doesn't say. A new one is registered with
the types of its arguments and of its value.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rulespal_chat.rules.expressions import INT, Type, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulespal_chat.types import Pick

LIST, CELL, CELLS = Type("list"), Type("cell"), Type("cells")


class SilentError(Exception):
    """The book doesn't say.

    Args:
        why: a clause that says why.
        picks: the statements that show it.
    """

    def __init__(self, why: str, picks: tuple[Pick, ...] = ()) -> None:
        super().__init__(why)
        self.picks = picks


@dataclass(frozen=True, slots=True)
class Worked:
    """What an algorithm found.

    Attributes:
        value: the result.
        steps: how it was found, in clauses.
    """

    value: Value
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A registered function.

    Attributes:
        name: as rule files name it.
        of: the types of its arguments.
        gives: the type of its value.
        work: the function.
    """

    name: str
    of: tuple[Type, ...]
    gives: Type
    work: Callable[..., Worked]


ALGORITHMS: dict[str, Algorithm] = {}


def _algorithm(
    of: Sequence[Type], gives: Type
) -> Callable[[Callable[..., Worked]], Callable[..., Worked]]:
    def register(work: Callable[..., Worked]) -> Callable[..., Worked]:
        name = work.__name__
        ALGORITHMS[name] = Algorithm(name, tuple(of), gives, work)
        return work

    return register


@_algorithm([LIST], INT)
def total(numbers: tuple[int, ...]) -> Worked:
    """The sum of a list."""
    return Worked(sum(numbers), (f"{_plus(numbers)} = {sum(numbers)}",))


@_algorithm([LIST], LIST)
def kraken_strikes(tourists: tuple[int, ...]) -> Worked:
    """The tourists that each player loses: those with the most come down to the next highest."""
    most = max(tourists)
    if most == 0:
        return Worked(tuple(0 for _ in tourists), ("nobody has a tourist to lose",))
    below = [count for count in tourists if count < most]
    if not below:
        raise SilentError("all players are tied, so that there is no next highest player")
    next_highest = max(below)
    return Worked(
        tuple(most - next_highest if count == most else 0 for count in tourists),
        (
            f"the most is {most}, the next highest {next_highest}",
            f"whoever has {most} loses {most} - {next_highest} = {most - next_highest}",
        ),
    )


@_algorithm([LIST], LIST)
def tourists_left(tourists: tuple[int, ...]) -> Worked:
    """The tourists that each player keeps after the Kraken strikes."""
    losses: Any = kraken_strikes(tourists).value
    left = tuple(count - loss for count, loss in zip(tourists, losses, strict=True))
    return Worked(left, (f"{_listed(tourists)} become {_listed(left)}",))


@_algorithm([LIST], INT)
def kraken_target(points: tuple[int, ...]) -> Worked:
    """The place, from 1, of the player attacked; the list goes clockwise from the Harbormaster."""
    most = max(points)
    place = points.index(most) + 1
    steps = [f"the most is {most}"]
    if points.count(most) > 1:
        steps.append("a tie goes clockwise, beginning with the Harbormaster")
    return Worked(place, tuple(steps))


@_algorithm([CELL, CELLS], INT)
def chebyshev_isolation(here: tuple[int, int], pieces: tuple[tuple[int, int], ...]) -> Worked:
    """The rings between a space and the closest piece: the larger of the steps across and up."""
    rings = [max(abs(x - here[0]), abs(y - here[1])) for x, y in pieces]
    steps = (f"the pieces are in rings {_listed(rings)}", f"the closest, {min(rings)}, counts")
    return Worked(min(rings), steps)


@_algorithm([LIST], LIST)
def ghoul_dice_choice(dice: tuple[int, ...]) -> Worked:
    """The pairs of movement and attack points that a roll allows, lowest first."""
    pairs = sorted({(max(pair), min(pair)) for pair in combinations(dice, 2)})
    return Worked(tuple(pairs), ("of two dice, the higher is movement and the lower attack",))


@_algorithm([LIST, LIST, LIST], LIST)
def tie_break_winner(
    hire_sums: tuple[int, ...], magic_coins: tuple[int, ...], fear_sums: tuple[int, ...]
) -> Worked:
    """The places, from 1, of the claimants who win; several if nothing separates them."""
    if len({len(hire_sums), len(magic_coins), len(fear_sums)}) > 1:
        raise SilentError("the lists have different lengths, one entry a claimant is needed")
    sums = [hire + magic for hire, magic in zip(hire_sums, magic_coins, strict=True)]
    best = [n for n, value in enumerate(sums) if value == max(sums)]
    steps = [f"hire cost and magic coins add up to {_listed(sums)}"]
    if len(best) > 1:
        most = max(fear_sums[n] for n in best)
        best = [n for n in best if fear_sums[n] == most]
        steps.append(f"the tie goes to the greater fear strength of {_listed(fear_sums)}")
    return Worked(tuple(n + 1 for n in best), tuple(steps))


def _plus(numbers: Sequence[int]) -> str:
    return " + ".join(map(str, numbers))


def _listed(numbers: Sequence[int]) -> str:
    parts = [str(number) for number in numbers]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
