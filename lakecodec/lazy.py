"""Names of packages that are imported when they are asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def names_elsewhere(package: str, where: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Returns the ``__getattr__`` of a package for names of its modules, and its ``__dir__``, which lists all of its own.

    Args:
        package: full name of the package.
        where: the module of each name, seen from the package; behind a colon the name there, where it is another.
    """

    def find(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, there = where[name].partition(":")
        found = getattr(import_module(f".{module}", package), there or name)
        setattr(sys.modules[package], name, found)  # the next look finds it there
        return found

    return find, lambda: sorted(sys.modules[package].__all__)
