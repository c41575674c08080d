"""What modules compiled from IDL texts do with fixed samples, as lines of text to compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from lakecodec.runtime.columns import Bits, Values
from lakecodec.runtime.records.record import Record
from lakecodec.runtime.records.values import Fields


def attempt(call: Callable[..., Any], *arguments: Any) -> str:
    """The text of a result, or of the error."""
    try:
        return str(call(*arguments))
    except RecursionError:
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def shown(value: Any) -> str:
    """A decoded value as text: types, fields and values, without addresses and names of modules."""
    if isinstance(value, Values):
        return f"values {value.layout} {value.count} {value.to_bytes().hex()}"
    if isinstance(value, Bits):
        return f"bits {list(value)}"
    if isinstance(value, Record | Fields):
        names = [name for name in _names(value) if name not in ("prev",)]
        return f"{type(value).__name__}({', '.join(f'{name}={shown(getattr(value, name, None))}' for name in names)})"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, memoryview):
        return repr(bytes(value))
    return repr(value)


def _names(value: Any) -> list[str]:
    found = list(getattr(type(value), "_given", ()))
    slots = [name for name in getattr(type(value), "__slots__", ()) if not name.startswith("_")]
    return list(dict.fromkeys([*found, *slots]))


def table_text(table: pa.Table) -> str:
    """The schema and the rows of a table."""
    return f"{table.schema.to_string()} {table.to_pylist()}"
