"""Conditions and their opposites as Python text."""

from __future__ import annotations


def negated(condition: str) -> str:
    """`not condition`, or the opposite operator where the condition is a plain comparison of two values."""
    for sign, opposite in ((" == ", " != "), (" is not ", " is ")):
        left, found, right = condition.partition(sign)
        if found and not any(word in part for part in (left, right) for word in _OTHER):
            return f"{left}{opposite}{right}"
    return f"not ({condition})" if any(word in condition for word in _OTHER) else f"not {condition}"


_OTHER = (" and ", " or ", " if ", "not ", " < ", " <= ", " > ", " >= ", " == ", " != ", " in ", " is ", " for ", " & ")
