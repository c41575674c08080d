"""Choices that a sample is made of: by a seed, so that all options come up, or drawn by Hypothesis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, Protocol, TypeVar

_T = TypeVar("_T", bound=Hashable)
#: The probability of taking the option that was chosen least, instead of any option.
_STEERED = 0.75
#: Added to the count of an option that led to no value, so that it is chosen less often.
_PENALTY = 2


class Rejected(Exception):
    """The choices so far lead to no valid value."""


class Exhausted(Rejected):
    """An attempt at a value takes too long."""


class Choices(Protocol):
    """A source of choices. A ``key`` names the place in the declaration that a choice is made for."""

    def pick(self, key: Hashable, options: Sequence[_T]) -> _T:
        """Returns one of the options, of which there is at least one."""

    def integer(self, low: int, high: int) -> int:
        """Returns an integer from ``low`` to ``high``, both included."""

    def data(self, size: int) -> bytes:
        """Returns ``size`` bytes."""

    def shuffled(self, values: Sequence[Any]) -> list[Any]:
        """Returns the values in some order."""

    def end_attempt(self, accepted: bool) -> int:
        """Ends an attempt at a value, and returns the number of its choices, where they are counted."""


class SeededChoices:
    """Choices by a seed; at each place, the options that were chosen least come first."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        #: How often each option was chosen, by key.
        self._chosen: defaultdict[Hashable, dict[Any, int]] = defaultdict(dict)
        self._attempt: list[tuple[dict[Any, int], Hashable]] = []

    def pick(self, key: Hashable, options: Sequence[_T]) -> _T:
        found, counts = options, self._chosen[key]
        if len(options) > 1 and self._random.random() < _STEERED:
            taken = [counts.get(each, 0) for each in options]
            least = min(taken)
            found = [each for each, count in zip(options, taken, strict=True) if count == least]
        chosen = found[0] if len(found) == 1 else self._random.choice(found)
        counts[chosen] = counts.get(chosen, 0) + 1
        self._attempt.append((counts, chosen))
        return chosen

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def data(self, size: int) -> bytes:
        return self._random.randbytes(size)

    def shuffled(self, values: Sequence[Any]) -> list[Any]:
        return self._random.sample(list(values), len(values))

    def end_attempt(self, accepted: bool) -> int:
        made = len(self._attempt)
        if not accepted:
            # An option that led to no value is tried again after the others.
            for counts, chosen in self._attempt:
                counts[chosen] += _PENALTY
        self._attempt.clear()
        return made


class DrawnChoices:
    """Choices that Hypothesis draws, and shrinks towards the first option and the number next to 0."""

    def __init__(self, draw: Any) -> None:
        from hypothesis import strategies

        self._draw, self._strategies = draw, strategies

    def pick(self, key: Hashable, options: Sequence[_T]) -> _T:
        return options[0] if len(options) == 1 else self._draw(self._strategies.sampled_from(options))

    def integer(self, low: int, high: int) -> int:
        return int(self._draw(self._strategies.integers(low, high)))

    def data(self, size: int) -> bytes:
        return bytes(self._draw(self._strategies.binary(min_size=size, max_size=size)))

    def shuffled(self, values: Sequence[Any]) -> list[Any]:
        return list(self._draw(self._strategies.permutations(values)))

    def end_attempt(self, accepted: bool) -> int:
        """Returns 0: Hypothesis itself remembers what it drew."""
        return 0
