"""All public calls: each is tried with values that lie, or takes no values of Python."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from . import arguments
from .targets import module

PACKAGES = ("", "row", "mosaic", "delta", "variant", "lake", "queries", "paimon", "parquet")
#: What no values lie in, by the reason.
WITHOUT_VALUES = {
    "takes a path alone": (
        "lake.check", "lake.convert", "lake.doctor", "lake.history", "lake.purge", "paimon.branches", "paimon.convert",
        "paimon.history", "paimon.tags",
        "parquet.verify",
    ),
    "takes a class or a function alone": ("extern_codec", "extern_function", "strategies"),
    "takes arrays of Arrow alone": ("variant.shred", "variant.unshred"),
    "takes nothing": (
        "backend", "mosaic.MosaicFile.close", "mosaic.MosaicWriter.close", "mosaic.MosaicWriter.abort",
        "mosaic.MosaicWriter.estimated_size", "lake.TableScan.batches", "lake.TableScan.reader", "lake.TableScan.summary",
        "paimon.PaimonScan.batches", "paimon.PaimonScan.read", "paimon.PaimonScan.deleted_in",
        "paimon.PaimonScan.reader", "paimon.PaimonScan.summary",
        "paimon.PaimonScan.file_reader",
        "variant.Variant.to_python", "variant.Variant.to_json", "parquet.Problem.to_dict", "Feeder.finish", "Feeder.asked",
    ),
    "is made by lakecodec": (
        "Feeder", "Feeder.gap_at_end", "Gap", "mosaic.BucketMetaData", "mosaic.ColumnStatistics", "mosaic.FileMetaData",
        "mosaic.RowGroupMetaData", "lake.CommitInfo", "lake.Problem", "lake.ScanSummary", "lake.TableScan", "paimon.PaimonScan",
        "paimon.SnapshotInfo", "parquet.IndexReport", "parquet.MergeReport", "parquet.Problem",
    ),
    "holds footers by the names of their files": (
        "parquet.FooterCache", "parquet.FooterCache.look_up", "parquet.FooterCache.chunks", "parquet.FooterCache.metadata",
    ),
    "is tried under another name": ("queries.query", "queries.query_batches", "parquet.decrypt", "parquet.decrypted"),
}  # fmt: skip
#: What reads, or gives what is there, of generated classes; `to_bytes` is tried with every value (`fuzz_writes`).
GENERATED_WITHOUT_VALUES = {"to_bytes", "to_dict", "feeder", "locate"}


def public_calls() -> Iterator[str]:
    """Yields the names of all public functions and classes, of their methods, and of those of generated classes."""
    for name in PACKAGES:
        package = import_module(f"lakecodec.{name}".rstrip("."))
        for each in package.__all__:
            found = getattr(package, each)
            if (
                inspect.ismodule(found)
                or not callable(found)
                or (inspect.isclass(found) and issubclass(found, Exception))
            ):
                continue
            full = f"{name}.{each}".lstrip(".")
            yield full
            if inspect.isclass(found):
                yield from (f"{full}.{method}" for method in _methods(found))
    for cls in (module().Item, module().Note, module().Cells):
        yield cls.__name__
        yield from (f"{cls.__name__}.{method}" for method in _methods(cls) if method not in GENERATED_WITHOUT_VALUES)


def _methods(cls: Any) -> list[str]:
    own = [base for base in cls.__mro__ if not base.__module__.startswith(("builtins", "typing", "abc"))]
    names = {name: None for base in own for name in vars(base) if not name.startswith("_")}
    return [name for name in names if callable(getattr(cls, name, None))]


def tried() -> set[str]:
    """Returns the names of the calls that are tried."""
    return {target.name.partition(",")[0].removesuffix(".__init__") for target in arguments.targets()}
