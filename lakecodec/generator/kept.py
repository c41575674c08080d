"""The compiler's cache: a folder of the user that saves later processes from compiling again.

It has the generated texts of IDL files that `compile_idl` compiled, and the parser as a pickle. They are code, so
nobody except the user may be able to change the files, their folder or a folder above it. Otherwise nothing is cached.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ..runtime.compiled import Bundle

if TYPE_CHECKING:
    from .model import Module

#: The environment variable that names another folder than the user's cache. If it is empty, nothing is cached.
VARIABLE = "LAKECODEC_CACHE"
#: The most cached files. The oldest ones are deleted first.
_MOST_FILES = 500
#: The names of cached files. Other files in the folder are never deleted.
_KEPT = re.compile(r"lakecodec-(?:idl|parser)-[0-9a-f]{32}(?:\.\d+\.partial)?")
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
#: Folders of the package whose code determines the printed text.
_MAKERS = ("generator", "runtime")
_SUFFIXES = (".py", ".lark", ".j2")


class Printed(NamedTuple):
    """Generated modules before they run.

    Attributes:
        bundle: the IDL texts from which they were made.
        modules: (name, file name -> text) per module; included ones first.
        externs: the modules outside lakecodec whose externs they use.
    """

    bundle: Bundle
    modules: list[tuple[str, dict[str, str]]]
    externs: frozenset[str] = frozenset()


def folder() -> Path | None:
    """Returns the cache folder, and makes it if it is missing; None if nothing can be cached safely."""
    named = os.environ.get(VARIABLE)
    if named == "":
        return None
    try:
        base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        found = Path(named) if named else Path(base) / "lakecodec"
        for each in [*reversed(found.parents), found]:
            each.mkdir(mode=0o700, exist_ok=True)
        # Whoever may replace a symbolic link on the path could choose another folder of the user, but could not put files there.
        found = found.resolve(strict=True)
        return found if _is_private(found) else None
    except (OSError, RuntimeError):
        return None


def _is_private(found: Path) -> bool:
    """Returns whether nobody but the user and root may write to a folder, or replace it or one above it."""
    if not hasattr(os, "getuid"):
        return True
    status = found.stat()
    if status.st_uid != os.getuid() or status.st_mode & _OTHERS_MAY_WRITE:
        return False
    for above in map(Path.stat, found.parents):
        # In a sticky folder nobody can rename the files of others.
        shared = above.st_mode & _OTHERS_MAY_WRITE and not above.st_mode & stat.S_ISVTX
        if shared or above.st_uid not in (0, os.getuid()):
            return False
    return True


def file_name(kind: str, *told: str | None) -> str:
    """Returns the name of the cache file of a kind (``idl`` or ``parser``) for these texts."""
    return f"lakecodec-{kind}-{hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]}"


def read(key: str) -> bytes | None:
    """Returns the cached bytes of a name; None if there are none."""
    found = folder()
    if found is None:
        return None
    with suppress(OSError), (found / key).open("rb") as file:
        status = os.fstat(file.fileno())
        # The file may be older than the folder's permissions.
        if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & _OTHERS_MAY_WRITE):
            return None
        return file.read()
    return None


def write(key: str, data: bytes) -> None:
    """Caches bytes under a name if possible; other processes see all of them or none."""
    found = folder()
    if found is None:
        return
    with suppress(OSError):
        partial = found / f"{key}.{os.getpid()}.partial"
        with open(partial, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(data)
        partial.replace(found / key)
        kept = [each for each in found.iterdir() if _KEPT.fullmatch(each.name)]
        for old in sorted(kept, key=lambda each: each.stat().st_mtime_ns)[:-_MOST_FILES]:
            old.unlink()


class KeptIdl:
    """The cache entry of an IDL file's printed modules, by its path, name and include paths."""

    def __init__(self, file: Path, name: str | None, include_paths: Sequence[Path]) -> None:
        self._include_paths = include_paths
        self._key = file_name("idl", str(file), name, *map(str, include_paths), str(Path.cwd()))

    def read(self) -> Printed | None:
        """Returns the cached modules; None if the compiler or an IDL file has changed since then."""
        data = read(self._key)
        if data is None:
            return None
        try:
            kept = json.loads(data)
            if kept["made"] != _makers() or any(_digest(path) != then for path, then in kept["files"].items()):
                return None
            if any(map(os.path.isfile, kept["missing"])):
                return None
            bundle = tuple((name, file, text, tuple(map(tuple, paths))) for name, file, text, paths in kept["bundle"])
            return Printed(bundle, [(name, texts) for name, texts in kept["modules"]], frozenset(kept["externs"]))
        except (ValueError, KeyError, TypeError, OSError):
            return None

    def write(self, modules: Iterable[Module], printed: Printed) -> None:
        """Caches the printed modules of an IDL file and of all its includes."""
        modules = list(modules)
        try:
            files = {each.file: _digest(each.file) for each in modules}
        except OSError:
            return
        missing = sorted({path for each in modules for path in self._missing(each)})
        kept = {
            "made": _makers(),
            "files": files,
            "missing": missing,
            "bundle": printed.bundle,
            "modules": printed.modules,
            "externs": sorted(printed.externs),
        }
        if all(files[each.file] == each.digest for each in modules):
            write(self._key, json.dumps(kept).encode())

    def _missing(self, module: Module) -> Iterator[str]:
        """Yields the paths where a new file would take precedence over the included ones."""
        for include in module.included:
            folders = [Path(module.file).parent, *self._include_paths]
            yield from takewhile(
                lambda path: not os.path.isfile(path), (os.path.join(each, include) for each in folders)
            )


def _digest(file: str) -> str:
    """Returns the digest of an IDL file's text, as in `Module`."""
    from .comments import decoded

    text, _ = decoded(Path(file).read_bytes())
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@cache
def _makers() -> str:
    """Returns a digest of the files that determine the printed text: names, sizes and times of change."""
    found = hashlib.sha256(sys.version.encode())
    pending = [os.fspath(Path(__file__).parents[1] / each) for each in _MAKERS]
    while pending:
        for each in sorted(os.scandir(pending.pop()), key=lambda each: each.name):
            if each.is_dir() and each.name != "__pycache__":
                pending.append(each.path)
            elif each.name.endswith(_SUFFIXES):
                stat = each.stat()
                found.update(f"{each.path} {stat.st_size} {stat.st_mtime_ns}".encode())
    return found.hexdigest()
