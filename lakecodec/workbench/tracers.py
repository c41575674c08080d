"""Tracing readers of generated classes: printed from the same layouts as the classes' own readers, when first needed."""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ..generator.compile import load_checked
from ..generator.diagnostics import Diagnostics
from ..generator.graph import in_order
from ..generator.lower.bodies import codec_class, lower_codec, lower_record, lower_variant
from ..generator.lower.field_layout import FieldLayout
from ..generator.lower.nesting import self_containing
from ..generator.lower.record_layout import RecordLayout, VariantLayout
from ..generator.model import Extension, Module, Record
from ..generator.names import type_name
from ..generator.print.tracing import tracing_field, tracing_record, tracing_variant
from ..generator.syntax import CodecDef, VariantDef
from ..runtime.compiled import module_named
from ..runtime.memo import kept_with
from ..runtime.records import read as reads

#: Bytes of a value that is a slice of the source, no copy of it.
LONG = 1 << 16

_RUNTIME = {
    "_col": "records.packed", "_columns": "columns", "_decl": "declaration", "_fn": "records.functions",
    "_in": "records.read", "_rec": "records.record",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tracer:
    """A class's layout and its tracing reader; of a variant the alternatives have layouts of their own.

    Attributes:
        placed: the readers of the fields of a record whose fields are placed with `at`, by name.
    """

    layout: RecordLayout | None
    read: Callable[..., Any] | None
    placed: dict[str, Callable[..., Any]]


@kept_with
def tracer_of(cls: type) -> Tracer:
    """Returns the tracing reader of a generated record, variant, alternative or codec with fields.

    Raises:
        ValueError: the IDL of the class is not where it was when the module was generated.
    """
    return _tracers(module_named(cls.__module__))(cls.__name__)


def model_of(module: str) -> Module:
    """Returns the model of the IDL that a generated module was made from.

    Raises:
        ValueError: the IDL is not found.
    """
    return _model_of(module_named(module))


@kept_with
def _model_of(loaded: Any) -> Module:
    name = loaded.__name__.rpartition(".")[2]
    bundle = getattr(loaded, "__bundle__", None)
    if bundle is not None:
        from ..generator.bundle import load_bundle

        top = load_bundle(bundle, Diagnostics())
    else:
        top = load_checked(_idl_file(loaded), allow_extern=None)
    return next(each for each in in_order(top) if each.name == name)


def _idl_file(module: Any) -> Path:
    source = next((Path(spec.source[0]) for spec in module.__spec__.values()), None)
    folder = Path(module.__file__).parent
    for each in (folder, folder.parent / "idl", Path(), Path("idl")):
        if source is not None and (each / source).is_file():
            return each / source
    raise ValueError(f"{module.__name__}: its IDL {source} is not found beside it; compile the IDL and use that type")


class _Tracers:
    """The tracers of a module's classes, by name."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._model = model_of(module.__name__)
        self._nested = self_containing(self._model)
        self._globals: dict[str, Any] = {}
        self._variants: dict[str, VariantLayout] = {}
        self._bodies: dict[str, Record | Extension] = {}
        for item in self._model.definitions:
            if isinstance(item, Record):
                self._bodies[type_name(item.name)] = item
            elif isinstance(item, Extension) and isinstance(item.syntax, VariantDef):
                self._bodies[type_name(item.name)] = item
                self._bodies |= {f"{type_name(item.name)}_{case.name}": item for case in item.syntax.cases}
            elif isinstance(item, Extension) and isinstance(item.syntax, CodecDef) and item.syntax.fields is not None:
                self._bodies[codec_class(item)] = item

    def __call__(self, name: str) -> Tracer:
        item = self._bodies[name]
        if isinstance(item, Record):
            layout = lower_record(item, nested=self._nested)
            if layout.located:
                placed = {each.name: self._placed(layout, each) for each in layout.fields if each.place is not None}
                return replace(self._body(layout.body), layout=layout, placed=placed)
            return self._body(layout)
        if isinstance(item.syntax, CodecDef):
            codec = lower_codec(item)
            assert codec is not None
            return self._body(codec)
        variant = self._variants.setdefault(item.name, lower_variant(item, nested=self._nested))
        imports: set[str] = set()
        if name == variant.name:
            return Tracer(None, self._compiled(name, tracing_variant(variant, imports), imports), {})
        alternative = next(each for each in variant.alternatives if each.record.name == name)
        if not alternative.record.fields:
            return Tracer(alternative.record, None, {})
        text = tracing_record(alternative.record, imports, alternative)
        return Tracer(alternative.record, self._compiled(name, text, imports), {})

    def _body(self, layout: RecordLayout) -> Tracer:
        imports: set[str] = set()
        text = tracing_record(layout, imports)
        return Tracer(layout, self._compiled(layout.name, text, imports), {})

    def _placed(self, layout: RecordLayout, field: FieldLayout) -> Callable[..., Any]:
        imports: set[str] = set()
        text = tracing_field(layout, field, imports)
        return self._compiled(f"{layout.name}.{field.name}", text, imports)

    def _compiled(self, name: str, text: str, imports: set[str]) -> Callable[..., Any]:
        names = dict(vars(self._module))
        for alias in imports - names.keys():
            if alias in _RUNTIME:
                names[alias] = import_module(f"..runtime.{_RUNTIME[alias]}", __package__)
        names["_in"] = _lending()
        file = f"<tracing reader of {self._module.__name__}.{name}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        weakref.finalize(self._module, linecache.cache.pop, file, None).atexit = False
        exec(compile(text, file, "exec", flags=annotations.compiler_flag), names)
        found: Callable[..., Any] = names["_read"]
        return found


@kept_with
def _tracers(module: Any) -> _Tracers:
    return _Tracers(module)


@cache
def _lending() -> Any:
    """Returns the functions of generated readers, with a `take` that gives long bytes as slices of their source."""

    def take(buf: Any, pos: int, count: int) -> tuple[Any, int]:
        is_lent = count > LONG and type(buf) is memoryview and count <= len(buf) - pos
        return (buf[pos : pos + count], pos + count) if is_lent else reads.take(buf, pos, count)

    return SimpleNamespace(**{**vars(reads), "take": take})
