"""Versions of IDL files: files, folders, texts, and git revisions."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ...generator.manifest import default_manifest

Version = str | os.PathLike[str]


@contextmanager
def two_versions(old: Version, new: Version) -> Iterator[tuple[dict[str, Path], dict[str, Path]]]:
    """Yields the files of both versions by name. Files of a git revision are checked out temporarily.

    Raises:
        FileNotFoundError: a version is neither a path nor a revision.
    """
    with TemporaryDirectory() as folder:
        place = Path(folder)
        yield _files(old, new, place / "old"), _files(new, old, place / "new")


def _files(version: Version, other: Version, folder: Path) -> dict[str, Path]:
    """Returns the files of a version. A revision without a path means the files of the other version, or those of the
    manifest."""
    text = os.fspath(version)
    if "\n" in text or "{" in text:
        return {"idl": _written(folder / "idl.idl", text.encode())}
    path = Path(text)
    if path.is_dir():
        files = {str(each.relative_to(path)): each for each in sorted(path.rglob("*")) if _is_idl(each.name)}
        if not files:
            raise FileNotFoundError(f"there are no IDL files in {text!r}")
        return files
    if path.exists():
        return {"": path}
    revision, _, named = text.partition(":")
    if not _git_ok("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"):
        raise FileNotFoundError(f"{text!r} is neither a file nor a folder nor a revision of git here")
    if not named:
        named = os.fspath(other).partition(":")[2] or os.fspath(other)
        if not Path(named).exists() or "\n" in named:
            named = os.fspath(default_manifest().parent)
    return _of_git(revision, named, folder)


def _of_git(revision: str, named: str, folder: Path) -> dict[str, Path]:
    """Returns the files of a revision below a path, or the file at it, with the folder of the files that it includes."""
    top = Path(_git("rev-parse", "--show-toplevel").decode().strip())
    inside = os.path.relpath(Path(named).resolve(), top).replace(os.sep, "/")
    listed = _git("-C", str(top), "ls-tree", "-r", "--name-only", "-z", revision).decode().split("\0")
    is_file = inside in listed
    around = os.path.dirname(inside) if is_file else inside
    prefix = "" if around in ("", ".") else f"{around}/"
    found = {}
    for name in listed:
        if name.startswith(prefix) and _is_idl(name):
            data = _git("-C", str(top), "show", f"{revision}:{name}")
            found[name.removeprefix(prefix)] = _written(folder / name.removeprefix(prefix), data)
    if is_file:
        return {"": found[inside.removeprefix(prefix)]}
    if not found:
        raise FileNotFoundError(f"revision {revision} has no IDL files in {named}")
    return found


def _written(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _is_idl(name: str) -> bool:
    return name.endswith((".idl", ".thrift"))


def _git_ok(*arguments: str) -> bool:
    try:
        _git(*arguments)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], check=True, capture_output=True).stdout
