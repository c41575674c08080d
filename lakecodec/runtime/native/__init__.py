"""The compiled accelerators. All are optional and have a twin in Python."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Any, Literal, TypeAlias

from . import stamp

Backend: TypeAlias = Literal["native", "partial", "pure"]

#: Every compiled module, by its name below ``lakecodec``.
MODULES = (
    "mosaic.native.bpe",
    "row.native.decode",
    "row.native.encode",
    "row.native.sort",
    "runtime.native._compact",
    "runtime.native._record",
    "runtime.native.columns.offset_scan",
    "runtime.native.columns.read",
    "runtime.native.columns.write",
    "runtime.native.compress_frames",
    "runtime.native.file_reads",
    "runtime.native.split_blocks",
    "runtime.native.text_ends",
    "variant.native.locate",
)

#: Whether compiled modules may be used; False if LAKECODEC_PURE=1 is set.
ENABLED = os.environ.get("LAKECODEC_PURE", "") in ("", "0")
#: Whether a compiled module that does not load is an error; otherwise its Python twin replaces it.
REQUIRED = os.environ.get("LAKECODEC_REQUIRE_NATIVE", "") not in ("", "0")

if ENABLED:
    stamp.check()


def load(module: str, twin: Any = None) -> Any:
    """Returns a compiled module, or ``twin`` if it was not built or LAKECODEC_PURE=1 is set.

    Args:
        module: its name below ``lakecodec``, such as ``"row.native.sort"``.
        twin: an object with the same functions in Python.

    Raises:
        ImportError: the module does not load, and LAKECODEC_REQUIRE_NATIVE=1 is set.
    """
    if not ENABLED:
        return twin
    try:
        return import_module(f"lakecodec.{module}")
    except ImportError as error:
        if REQUIRED:
            raise ImportError(
                f"LAKECODEC_REQUIRE_NATIVE is set, but lakecodec.{module} does not load: {error}"
            ) from None
        return twin


def backend() -> Backend:
    """Returns ``"native"`` if every compiled module loads, ``"pure"`` if none does or LAKECODEC_PURE=1 is set,
    and ``"partial"`` if some are missing: their twins run in Python, with equal results.
    """
    if not ENABLED:
        return "pure"
    missing = len(failures())
    return "native" if not missing else "pure" if missing == len(MODULES) else "partial"


@cache
def failures() -> dict[str, str]:
    """Returns the compiled modules that do not load, each with the reason; loads all others."""
    found = {}
    for name in MODULES:
        try:
            import_module(f"lakecodec.{name}")
        except ImportError as error:
            found[name] = str(error)
    return found


def not_built() -> list[str]:
    """Returns the compiled modules without a file.

    None is loaded, so that the check is cheap enough for every start.
    """
    from pathlib import Path

    package = Path(__file__).parents[2]
    stems = ((name, package.joinpath(*name.split("."))) for name in MODULES)
    return [name for name, stem in stems if not any(Path(f"{stem}{end}").exists() for end in EXTENSION_SUFFIXES)]


def slow_notice(missing: list[str]) -> str:
    """Returns one line that says what is slow without the modules ``missing``, and the remedy."""
    some = "none of its" if len(missing) == len(MODULES) else f"{len(MODULES) - len(missing)} of its {len(MODULES)}"
    return (
        f"this build has {some} compiled modules and is up to ten times slower; install a C compiler and Python's "
        "headers, then reinstall lakecodec without a cached wheel (LAKECODEC_PURE=1 accepts the slow build silently)"
    )
