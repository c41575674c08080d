"""Binary formats declared once in an IDL: codecs generated from specs, and the formats and pipelines built on them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .lazy import names_elsewhere
from .runtime import __version__, hooks
from .runtime.errors import CodecError, DecodeError, EncodeError
from .runtime.externs import extern_codec, extern_function
from .runtime.limits import Limits
from .runtime.native import backend
from .runtime.streams import Feeder, Gap

if TYPE_CHECKING:
    from . import convert, delta, lake, mosaic, paimon, parquet, pipeline, row, variant, workbench
    from .generator import IdlError, compile_idl
    from .importing import import_idl
    from .queries import query, query_batches
    from .sample_files import samples_of
    from .workbench import explore
    from .workbench.breaking import breaking
    from .workbench.sampling import samples, strategies

__all__ = [
    "CodecError",
    "DecodeError",
    "EncodeError",
    "Feeder",
    "Gap",
    "IdlError",
    "Limits",
    "__version__",
    "backend",
    "breaking",
    "compile_idl",
    "convert",
    "delta",
    "explore",
    "extern_codec",
    "extern_function",
    "import_idl",
    "lake",
    "mosaic",
    "paimon",
    "parquet",
    "pipeline",
    "query",
    "query_batches",
    "row",
    "samples",
    "samples_of",
    "strategies",
    "variant",
    "workbench",
]

_MODULES = frozenset(
    ("convert", "delta", "lake", "mosaic", "paimon", "parquet", "pipeline", "row", "variant", "workbench")
)
#: Names of other modules, and where they are.
_ELSEWHERE = {
    "IdlError": "generator",
    "breaking": "workbench.breaking",
    "compile_idl": "generator",
    "explore": "workbench",
    "import_idl": "importing",
    # What `%load_ext lakecodec` calls.
    "load_ipython_extension": "workbench.notebook",
    "query": "queries",
    "query_batches": "queries",
    "samples": "workbench.sampling",
    "samples_of": "sample_files",
    "strategies": "workbench.sampling",
}
_elsewhere, __dir__ = names_elsewhere(__name__, _ELSEWHERE)

# Pickles of modules compiled at run time are compiled again; damaged files are verified by their tree.
hooks.provide("compile_bundle", lambda: import_module(f"{__name__}.generator.in_memory").restored)
hooks.provide("markers", lambda: import_module(f"{__name__}.workbench.streamable").markers)
hooks.provide("unstreamable", lambda: import_module(f"{__name__}.workbench.streamable").unstreamable)
hooks.provide("tree", lambda: import_module(f"{__name__}.workbench.explorer").tree_of)


def __getattr__(name: str) -> Any:
    # The compiler needs Lark and Jinja, the formats pyarrow; who uses one format should not wait for the rest.
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    return _elsewhere(name)
