"""Conversion of predicates, as users write them, to Spark columns."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import reduce
from typing import Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

from ..lake.read.where import Where

#: A predicate that scans without Spark also accept, or a Spark column.
Predicate: TypeAlias = "Where | Column"

_COMPARISONS: dict[str, Callable[[Any, Any], Column]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda column, values: column.isin(*map(_literal, values)),
    "not in": lambda column, values: ~column.isin(*map(_literal, values)),
}


def column(name: str) -> Column:
    """Returns the Spark column of exactly this name, with dots and backticks taken literally."""
    return F.col("`" + name.replace("`", "``") + "`")


def predicate_column(predicate: Predicate, argument: str) -> Column:
    """Returns a predicate as a Spark column.

    The value None of a term with ``=`` or ``!=`` means IS NULL or IS NOT NULL, not a comparison with NULL.

    Args:
        predicate: a Spark SQL text, a column, terms (column, operator, value), or lists of such terms.
        argument: name of the argument, for error messages.

    Raises:
        TypeError, ValueError: it is no predicate. Unknown columns and wrong SQL are found by Spark, later.
    """
    if isinstance(predicate, Column):
        return predicate
    if isinstance(predicate, str):
        if not predicate.strip():
            raise ValueError(f"{argument}: the predicate is empty")
        return F.expr(predicate)
    if not isinstance(predicate, Sequence) or not predicate:
        raise TypeError(f"{argument}: a SQL predicate or a list of (column, operator, value) is needed")
    groups = predicate if isinstance(predicate[0], list) else [predicate]
    return reduce(operator.or_, [_conjunction(group, argument) for group in groups])


def predicate_text(predicate: Predicate) -> str:
    """Returns the text of a predicate for the ``operationParameters`` of a commitInfo."""
    return predicate if isinstance(predicate, str) else str(predicate)


def _conjunction(terms: Any, argument: str) -> Column:
    if not isinstance(terms, Sequence) or not terms:
        raise ValueError(f"{argument}: a list of (column, operator, value) is needed, not {terms!r}")
    return reduce(operator.and_, [_term(term, argument) for term in terms])


def _term(term: Any, argument: str) -> Column:
    if not isinstance(term, tuple | list) or len(term) != 3 or not isinstance(term[0], str):
        raise ValueError(f"{argument}: (column, operator, value) is needed, not {term!r}")
    name, comparison, value = term
    if comparison not in _COMPARISONS:
        raise ValueError(f"{argument}: unknown operator {comparison!r}; there are {', '.join(_COMPARISONS)}")
    if comparison in ("in", "not in") and (isinstance(value, str) or not hasattr(value, "__iter__")):
        raise ValueError(f"{argument}: {comparison!r} needs a list of values, not {value!r}")
    if value is None and comparison in ("=", "==", "!="):
        return column(name).isNotNull() if comparison == "!=" else column(name).isNull()
    return _COMPARISONS[comparison](column(name), _literal(value))


def _literal(value: Any) -> Any:
    """Returns a value for PySpark, which would read a time without a zone in that of this process, not of the session."""
    if not isinstance(value, datetime) or value.tzinfo is not None:
        return value
    return F.lit(value.isoformat()).cast("timestamp_ntz")
