"""Options of the ``parquet_metadata`` data source, parsed from Spark's strings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ErrorMode = Literal["column", "raise"]
KNOWN = ("path", "paths", "errors", "columns", "fields", "find", "values", "numPartitions")


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
        given = {name.lower(): value for name, value in options.items()}
        unknown = sorted(set(given) - {name.lower() for name in KNOWN})
        if unknown:
            raise ValueError(f"unknown option {unknown[0]!r}; parquet_metadata knows {', '.join(KNOWN)}")
        if ("find" in given) != ("values" in given):
            raise ValueError("find and values: both or none of them are needed")
        if "find" in given and "columns" in given:
            raise ValueError("find: the option columns has no meaning beside it")
        return cls(
            paths=_paths(given),
            errors=_errors(given.get("errors", "column")),
            columns=_names("columns", given.get("columns")),
            fields=_names("fields", given.get("fields")),
            find=given.get("find"),
            values=_values(given.get("values", "[]")),
            partitions=_positive("numPartitions", given.get("numpartitions")),
        )


def _paths(given: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the paths: Spark passes one path as ``path`` and several as a JSON list in ``paths``."""
    paths = [given["path"]] if "path" in given else []
    if "paths" in given:
        paths += _strings("paths", given["paths"])
    if not paths:
        raise ValueError("path: give load() a path or a list of paths")
    return tuple(paths)


def json_strings(text: str) -> list[str] | None:
    """Returns the elements of a JSON list of strings, None if ``text`` is anything else."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        return None
    is_one = isinstance(values, list) and all(isinstance(value, str) for value in values)
    return values if is_one else None


def _values(text: str) -> tuple[str | None, ...]:
    """Returns the values in a JSON list of strings and nulls; any other text is a value."""
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        return (text,)
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
    raise ValueError(f"errors must be 'column' or 'fail', not {text!r}")


def _names(option: str, text: str | None) -> tuple[str, ...] | None:
    """Returns the names in ``a,b.c`` or, for names that hold commas, in a JSON list of strings."""
    if text is None:
        return None
    names = _strings(option, text) if text.lstrip().startswith("[") else [name.strip() for name in text.split(",")]
    if not all(names) or not names:
        raise ValueError(f"{option}: empty name in {text!r}")
    if len(set(names)) != len(names):
        raise ValueError(f"{option}: a name is given twice in {text!r}")
    return tuple(names)


def _strings(option: str, text: str) -> list[str]:
    values = json_strings(text)
    if values is None:
        raise ValueError(f"{option} must be a JSON list of strings, not {text!r}")
    return values


def _positive(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not text.strip().isdecimal() or int(text) == 0:
        raise ValueError(f"{option} must be a positive whole number, not {text!r}")
    return int(text)
