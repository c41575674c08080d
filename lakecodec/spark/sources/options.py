"""Parsers of the options of data sources, which Spark passes as strings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ...runtime.urls import located, storage_option

#: The prefix of options for the client of an object store.
STORAGE_OPTIONS = "storage.*"
#: The prefix of options of a new Paimon table.
TABLE_OPTIONS = "table.*"
_STORAGE, _TABLE = "storage.", "table."
#: Options that Spark adds for `CREATE TABLE` and `saveAsTable`. Spark reads these tables without options.
_CATALOG = {"location", "external", "owner", "provider"}


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
        prefixes = tuple(name.removesuffix("*") for name in every if name.endswith(".*"))
        unknown = [name for name in unknown if not name.startswith(prefixes)]
        if not _CATALOG.isdisjoint(unknown):
            raise ValueError(f"tables of a catalog are not supported: {self._instead}")
        if unknown:
            raise ValueError(f"unknown option {unknown[0]!r}; {source} knows {', '.join(every)}")

    def text(self, name: str) -> str | None:
        """Returns the option as it was passed, None if it was not passed."""
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
            raise ValueError(
                f"path: a path is needed; a table of Spark's catalog has none here and never has rows: drop it, and "
                f"{self._instead}"
            )
        options = self._storage_options()
        (found,) = located(options, paths)
        return list(found)

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
        return paths[0]

    def _storage_options(self) -> dict[str, Any]:
        """Returns the options of the store's client: truth values and objects are JSON."""
        return {name: storage_option(text) for name, text in self._prefixed(_STORAGE).items()}

    def table_options(self) -> dict[str, str]:
        """Returns the options of a new table, which are texts."""
        return self._prefixed(_TABLE)

    def _prefixed(self, prefix: str) -> dict[str, str]:
        """Returns the options whose names begin with ``prefix``, without it."""
        return {name.removeprefix(prefix): text for name, text in self._given.items() if name.startswith(prefix)}

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


ErrorMode = Literal["column", "raise"]
SCAN_OPTIONS = ("path", "paths", "errors", "columns", "fields", "find", "values", "numPartitions", STORAGE_OPTIONS)


@dataclass(frozen=True)
class ScanOptions:
    """Parsed options of a scan of Parquet footers.

    Attributes:
        paths: files, directories, patterns or URLs, as given.
        errors: ``"column"`` makes a broken file a row with a message, ``"raise"`` makes it an error.
        columns: dotted paths of the Parquet columns to report, or None for all.
        fields: names of the output columns, or None for all.
        find: dotted path of the column that is searched, None without a search.
        values: what it is searched for, as text; None stands for null.
        partitions: how many partitions to make, or None for the default.
    """

    paths: tuple[str, ...]
    errors: ErrorMode = "column"
    columns: tuple[str, ...] | None = None
    fields: tuple[str, ...] | None = None
    find: str | None = None
    values: tuple[str | None, ...] = ()
    partitions: int | None = None

    @classmethod
    def parse(cls, options: Mapping[str, str]) -> ScanOptions:
        """Returns the options parsed from Spark's strings; names of options are case-insensitive.

        Raises:
            ValueError: an unknown option, a value that the option does not take, or no path at all.
        """
        given = Options("parquet_metadata", options, SCAN_OPTIONS)
        find, values = given.text("find"), given.text("values")
        if (find is None) != (values is None):
            raise ValueError("find and values: both or none of them are needed")
        if find is not None and given.text("columns") is not None:
            raise ValueError("find: the option columns has no meaning beside it")
        return cls(
            paths=tuple(given.paths()),
            errors=_errors(given.text("errors") or "column"),
            columns=_distinct("columns", given.names("columns")),
            fields=_distinct("fields", given.names("fields")),
            find=find,
            values=_values(values or "[]"),
            partitions=given.number("numPartitions", least=1),
        )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def _strings(option: str, text: str) -> list[str]:
    values = _json(text)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{option}: a JSON list of strings is needed, not {text!r}")
    return values


def _distinct(option: str, names: list[str] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    if not names or len(set(names)) != len(names):
        raise ValueError(f"{option}: {'a name is given twice' if names else 'a name is needed'}")
    return tuple(names)


def _values(text: str) -> tuple[str | None, ...]:
    """Returns the values in a JSON list of strings and nulls; any other text is a value."""
    values = _json(text)
    if not isinstance(values, list):
        return (text,)
    if not all(value is None or isinstance(value, str) for value in values):
        raise ValueError(f"values: a JSON list of strings and nulls is needed, not {text!r}")
    return tuple(values)


def _errors(text: str) -> ErrorMode:
    match text.lower():
        case "column":
            return "column"
        case "fail":
            return "raise"
    raise ValueError(f"errors: 'column' or 'fail' is needed, not {text!r}")
