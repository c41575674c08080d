"""Words of diagnostics: "did you mean", and counts of arguments."""

from __future__ import annotations

from ..runtime.suggest import did_you_mean

__all__ = ["argument_count", "did_you_mean"]


def argument_count(least: int, most: int) -> str:
    """`1 argument`, `2 arguments`, `1 to 3 arguments`."""
    if least != most:
        return f"{least} to {most} arguments"
    return f"{most} argument{'' if most == 1 else 's'}"
