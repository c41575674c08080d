"""Mutations that change nothing, and why: (file, kind of change, part of the line) -> reason."""

SURVIVORS: dict[tuple[str, str, str], str] = {}
