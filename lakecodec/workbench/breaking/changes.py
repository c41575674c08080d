"""Breaking changes: declared differences, with the bytes that prove them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from ...generator.externs import allowed_modules
from ...runtime.exact import check_function, exact_path
from ...verify.tracking import Track, no_progress
from .change import Change
from .comparer import Comparer, FileVersion
from .difference import Breaks
from .revisions import Version, two_versions

_ORDER = {breaks: place for place, breaks in enumerate(get_args(Breaks))}


def breaking(
    old: Version, new: Version, *, allow_extern: Iterable[str] = (), track: Track = no_progress
) -> list[Change]:
    """Returns the breaking changes from one version of IDL files to another.

    Whatever concerns bytes is proven before it is returned: samples of each version were written by its generated module and
    read by that of the other. If no bytes but empty ones show what a changed clause breaks, it is ``unshown``. Changes that
    break nothing, such as a new optional field, are not returned.

    Args:
        old: an IDL file, a folder of them, a git revision (``HEAD~1``, ``v1.0:idl/shop.idl``), or the IDL's text.
        new: the same.
        allow_extern: Python modules whose externs the versions may name, besides those of lakecodec: their code runs.
        track: a progress display, called with the differences and their name; yields the differences.

    Raises:
        IdlError: a version has errors.
        FileNotFoundError: a version is neither a path nor a revision.
        TypeError: an argument is of another type.
    """
    found: list[Change] = []
    exact_path("old", old), exact_path("new", new)
    check_function("track", track, (), "")
    allowed = tuple(allowed_modules(allow_extern))
    with two_versions(old, new) as (before, after):
        alone = len(before) == len(after) == 1
        pairs = {
            name: (path, next(iter(after.values())) if alone else after.get(name)) for name, path in before.items()
        }
        for name, (path, other) in pairs.items():
            if other is None:
                found.append(Change("file-removed", name, f"the file {name} was removed", "source", file=name))
            elif path.read_bytes() != other.read_bytes() or len(before) == 1:
                changes = _between_files(path, other, allowed, track)
                found += [replace(each, file=name or path.name) for each in changes]
    return list(dict.fromkeys(found))


def _between_files(old: Path, new: Path, allow_extern: Sequence[str], track: Track) -> list[Change]:
    found = Comparer(FileVersion(old, allow_extern), FileVersion(new, allow_extern)).run(track)
    return sorted(found, key=lambda each: (_ORDER[each.breaks], each.where, each.rule))
