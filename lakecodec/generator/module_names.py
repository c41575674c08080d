"""Names of generated modules: a unique one for each IDL file of a tree of includes, from the file's and folders' names."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Mapping
from pathlib import Path


class ModuleNames:
    """The names of generated modules by IDL file. Names are unique, and a file keeps the name that it got first.

    A file is called by its stem; where another file is called so already, by its folder and its stem (`x_a`), then by
    more folders. Characters that a Python name cannot have become underscores; `class` is `class_`, `2x` is `idl_2x`.
    """

    def __init__(self, given: Mapping[Path, str] | None = None) -> None:
        """``given``: the names of files that have one, by their real paths."""
        self._names = dict(given or {})

    def of(self, path: Path, wanted: str | None = None) -> str:
        """Returns the name of the file at a real path; ``wanted`` is taken as it is."""
        if wanted is not None or path not in self._names:
            self._names[path] = wanted or self._unused(path)
        return self._names[path]

    def _unused(self, path: Path) -> str:
        taken = set(self._names.values())
        parts = [path.stem]
        for folder in reversed(path.parent.parts[1:]):
            if module_name("_".join(parts)) not in taken:
                break
            parts.insert(0, folder)
        name = module_name("_".join(parts))
        while name in taken:
            name += "_"
        return name


def is_module_name(name: str) -> bool:
    """Returns whether a module can have the name, and others can import it."""
    return name.isidentifier() and not keyword.iskeyword(name)


def module_name(stem: str) -> str:
    """Returns a name of a Python module near a file's name without its suffix."""
    name = re.sub(r"\W", "_", stem, flags=re.ASCII).strip("_") or "idl"
    if not name.isidentifier():
        name = f"idl_{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def is_text(source: str | os.PathLike[str]) -> bool:
    """Returns whether a source is the text of an IDL file, no path: a str with a line break or a brace."""
    return isinstance(source, str) and any(sign in source for sign in "\n{}")
