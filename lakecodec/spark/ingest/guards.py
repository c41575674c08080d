"""Row constraints that Spark checks before the writers get the rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ...delta import escape_path_name
from ...generated.delta_partition import HIVE_ESCAPED, MAX_SEGMENT_BYTES
from ...runtime.errors import EncodeError
from ..predicates import column
from .plan import Plan

_MARK = "lakecodec"
_ESCAPED = "[" + "".join(f"\\x{{{code:x}}}" for code in sorted(HIVE_ESCAPED)) + "]"


def guarded(plan: Plan, *others: str) -> DataFrame:
    """Returns the plan's rows with constraint checks; empty partition values become null, as in the log.

    A row that breaks a rule fails the Spark job with an error that `broken_rule` recognizes.

    Args:
        plan: the ingest.
        others: columns of its frame that are not the table's and come behind them.
    """
    frame = plan.frame.select(
        *[_null_like(field).alias(field.name) if field.name in plan.partition_by else column(field.name)
          for field in plan.schema],
        *map(column, others),
    )  # fmt: skip
    for condition, name, rule in _rules(plan):
        broken = F.raise_error(F.lit(f"{_MARK}\t{name}\t{rule}")).cast("boolean")
        frame = frame.where(F.when(condition, F.lit(True)).otherwise(broken))
    return frame


def broken_rule(error: Exception) -> EncodeError | None:
    """Returns the EncodeError for the rule that stopped a job, None if something else did."""
    found = re.search(rf"{_MARK}\t([^\t]*)\t([^\n]*?)(?: SQLSTATE: \w+)?$", str(error), re.MULTILINE)
    return None if found is None else EncodeError(found[2], format="delta", path=found[1])


@contextmanager
def named_rules() -> Iterator[None]:
    """Context manager that raises the EncodeError for the rule that stopped a Spark job of the block."""
    try:
        yield
    except Exception as error:  # PySpark passes on what the JVM throws in more than one type
        rule = broken_rule(error)
        if rule is None:
            raise
        raise rule from None


def _rules(plan: Plan) -> Iterator[tuple[Column, str, str]]:
    """Yields condition, column name and message of each rule."""
    for field in plan.schema:
        if not field.nullable:
            yield column(field.name).isNotNull(), field.name, "the column is not nullable, a value is null or empty"
    for name in plan.partition_by:
        kind = plan.schema.field(name).type
        if pa.types.is_string(kind) or pa.types.is_binary(kind):
            fits = f"a directory name has at most {MAX_SEGMENT_BYTES} bytes, a value makes it longer"
            yield _fits_in_name(name, binary=pa.types.is_binary(kind)), name, fits
        if pa.types.is_binary(kind):
            valid = column(name).isNull() | F.is_valid_utf8(column(name).cast("string"))
            yield valid, name, "a value is not UTF-8 text"
    if plan.replaced is not None:
        rule = "a row's partition is not one that replace_where holds for"
        yield F.coalesce(plan.replaced, F.lit(False)), ", ".join(plan.partition_by), rule


def _fits_in_name(name: str, *, binary: bool) -> Column:
    text = column(name).cast("string") if binary else column(name)
    left = MAX_SEGMENT_BYTES - len(f"{escape_path_name(name)}=".encode())
    escaped = F.octet_length(F.regexp_replace(text, _ESCAPED, "%00"))
    # Three bytes for one are the most that escapes can take: short texts need no look.
    return text.isNull() | (F.octet_length(text) * 3 <= left) | (escaped <= left)


def _null_like(field: pa.Field) -> Column:
    if pa.types.is_string(field.type):
        return F.nullif(column(field.name), F.lit(""))
    if pa.types.is_binary(field.type):
        return F.nullif(column(field.name), F.lit(b""))
    return column(field.name)
