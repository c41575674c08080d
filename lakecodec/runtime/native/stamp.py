"""The stamp of a build in a checkout, which refuses compiled modules that were built from other sources.

Without this check such modules cause errors that do not name the cause. Wheels have neither sources nor a stamp.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
#: The folders with the sources of compiled modules.
FOLDERS = tuple(os.path.join(_PACKAGE, name, "native") for name in ("mosaic", "row", "runtime", "variant"))
#: The digest of the sources, written by ``setup.py build_ext --inplace``; the file's time is the start of the build.
STAMP = os.path.join(_PACKAGE, "runtime", "native", ".stamp-native")


def check() -> None:
    """Raises an ImportError if the compiled modules of a checkout were built from other sources.

    Only sources that are newer than the stamp are read, since every import pays for this.
    """
    try:
        built = os.stat(STAMP).st_mtime_ns
    except OSError:
        return
    if not any(each.stat().st_mtime_ns > built for each in sources()):
        return
    with open(STAMP, encoding="ascii") as stamp:
        if stamp.read() == digest():
            return
    raise ImportError(
        f"the compiled modules of lakecodec in {_PACKAGE} were built from other sources than those beside them: rebuild "
        "them with `python setup.py build_ext --inplace` or `make setup` (LAKECODEC_PURE=1 runs without them, slower)"
    )


def digest() -> str:
    """Returns the digest of the names and bytes of all sources."""
    from hashlib import sha256

    found = sha256()
    for each in sorted(sources(), key=os.fspath):
        with open(each, "rb") as file:
            found.update(f"{each.name}\n".encode() + file.read())
    return found.hexdigest()


def sources() -> Iterator[os.DirEntry[str]]:
    """Yields the files from which compiled modules are made, without the C files that Cython makes."""
    for folder in FOLDERS:
        yield from _sources(folder)


def _sources(folder: str) -> Iterator[os.DirEntry[str]]:
    entries = {each.name: each for each in os.scandir(folder)}
    for name, each in entries.items():
        stem, _, ending = name.rpartition(".")
        if ending in ("h", "pyx", "pxd", "pxi") or (ending == "c" and f"{stem}.pyx" not in entries):
            yield each
        elif not stem and name != "__pycache__" and each.is_dir():
            yield from _sources(each.path)
