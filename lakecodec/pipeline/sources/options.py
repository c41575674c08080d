"""Parser of the options of data sources, which Spark passes as strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..log.storage import storage_option, with_options
from ..options import json_strings

#: Stands for all options of the client of an object store.
STORAGE_OPTIONS = "storage.*"
_STORAGE = "storage."
#: What Spark adds to the options of `CREATE TABLE` and `saveAsTable`, whose tables it then reads without any.
_CATALOG = {"location", "external"}


class Options:
    """Options of a data source; their names are case-insensitive.

    Args:
        source: name of the data source.
        given: the options as Spark passes them.
        known: names of the options that the source has; Spark's ``path`` and ``paths`` are added.

    Raises:
        ValueError: an unknown option.
    """

    def __init__(self, source: str, given: Mapping[str, str], known: Iterable[str]) -> None:
        self._given = {name.lower(): value for name, value in given.items()}
        self._source = source
        every = tuple(dict.fromkeys(("path", "paths", *known)))
        unknown = sorted(set(self._given) - {name.lower() for name in every})
        if STORAGE_OPTIONS in every:
            unknown = [name for name in unknown if not name.startswith(_STORAGE)]
        if not _CATALOG.isdisjoint(unknown):
            raise ValueError(f"there are no tables of a catalog: {self._instead}")
        if unknown:
            raise ValueError(f"unknown option {unknown[0]!r}; {source} knows {', '.join(every)}")

    def text(self, name: str) -> str | None:
        """Returns the option as it was given, None where it is not."""
        return self._given.get(name.lower())

    def paths(self) -> list[str]:
        """Returns the paths: Spark passes one path as ``path`` and several as a JSON list in ``paths``.

        Raises:
            ValueError: there is none.
        """
        paths = [self._given["path"]] if "path" in self._given else []
        if "paths" in self._given:
            paths += _strings("paths", self._given["paths"])
        if not paths:
            raise ValueError(f"path: a path is needed; for a table of a catalog Spark gives none: {self._instead}")
        return paths

    @property
    def _instead(self) -> str:
        return f"use load(path), save(path), or CREATE TEMPORARY VIEW ... USING {self._source} OPTIONS (path '...')"

    def path(self) -> str:
        """Returns the only path.

        Raises:
            ValueError: there are none or several.
        """
        paths = self.paths()
        if len(paths) != 1:
            raise ValueError(f"path: one path is needed, not {len(paths)}")
        found: str = with_options(paths[0], self._storage_options())
        return found

    def _storage_options(self) -> dict[str, Any]:
        """Returns the options of the store's client: truth values and objects are JSON."""
        found: dict[str, Any] = {}
        for name, text in self._given.items():
            if name.startswith(_STORAGE):
                found[name.removeprefix(_STORAGE)] = storage_option(text)
        return found

    def names(self, name: str) -> list[str] | None:
        """Returns the names in ``a,b`` or, for names that hold commas, in a JSON list; None where the option is not given.

        Raises:
            ValueError: an empty name, or text that starts with ``[`` and is no JSON list of strings.
        """
        text = self.text(name)
        if text is None:
            return None
        found = _strings(name, text) if text.lstrip().startswith("[") else [part.strip() for part in text.split(",")]
        if not all(found):
            raise ValueError(f"{name}: empty name in {text!r}")
        return found

    def number(self, name: str, least: int = 0) -> int | None:
        """Returns the option as an int, None where it is not given.

        Raises:
            ValueError: it is not a whole number of at least ``least``.
        """
        text = self.text(name)
        if text is None:
            return None
        if not text.strip().isdecimal() or int(text) < least:
            raise ValueError(f"{name}: a whole number of at least {least} is needed, not {text!r}")
        return int(text)

    def flag(self, name: str) -> bool:
        """Returns the option ``true`` or ``false`` as a bool; default: False.

        Raises:
            ValueError: another text.
        """
        text = (self.text(name) or "false").lower()
        if text not in ("true", "false"):
            raise ValueError(f"{name}: true or false is needed, not {text!r}")
        return text == "true"

    def exclusive(self, *names: str) -> None:
        """Raises ValueError if more than one of the options is given."""
        given = [name for name in names if self.text(name) is not None]
        if len(given) > 1:
            raise ValueError(f"{', '.join(given)}: only one of them can be given")


def _strings(option: str, text: str) -> list[str]:
    values = json_strings(text)
    if values is None:
        raise ValueError(f"{option}: a JSON list of strings is needed, not {text!r}")
    return values
