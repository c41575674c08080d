"""Random well-formed IDLs: texts of records, variants, structs, messages and codecs, drawn from a `random.Random`.

The texts keep to the language; some are still refused, since their clauses contradict each other.
"""

from __future__ import annotations

from random import Random

from .writer import Writer


def random_idl(random: Random) -> str:
    """Returns the text of an IDL; the same text for the same state of `random`."""
    return Writer(random).module()


def small_idl(random: Random) -> str:
    """Returns the text of an IDL of few fields, which thousands of can be tried."""
    return Writer(random).small_module()
