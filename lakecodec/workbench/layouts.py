"""The layouts of generated classes, which are lowered again from the IDL of their modules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..generator.compile import load_checked
from ..generator.diagnostics import Diagnostics
from ..generator.graph import in_order
from ..generator.lower.bodies import codec_class, lower_codec, lower_record, lower_variant
from ..generator.lower.nesting import self_containing
from ..generator.lower.record_layout import RecordLayout, VariantLayout
from ..generator.model import Extension, Module, Record
from ..generator.names import type_name
from ..generator.syntax import CodecDef, VariantDef
from ..runtime.compiled import module_named
from ..runtime.memo import kept_with


@kept_with
def layout_of(cls: type) -> RecordLayout | None:
    """Returns the layout of a generated record, alternative or codec with fields; None for a variant, which has none itself.

    Raises:
        ValueError: the IDL of the class is not where it was when the module was generated.
    """
    return _layouts(module_named(cls.__module__))(cls.__name__)


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


class _Layouts:
    """The layouts of a module's classes, by name."""

    def __init__(self, module: Any) -> None:
        self._model = model_of(module.__name__)
        self._nested = self_containing(self._model)
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

    def __call__(self, name: str) -> RecordLayout | None:
        item = self._bodies[name]
        if isinstance(item, Record):
            return lower_record(item, nested=self._nested)
        if isinstance(item.syntax, CodecDef):
            codec = lower_codec(item)
            assert codec is not None
            return codec
        variant = self._variants.setdefault(item.name, lower_variant(item, nested=self._nested))
        return next((each.record for each in variant.alternatives if each.record.name == name), None)


@kept_with
def _layouts(module: Any) -> _Layouts:
    return _Layouts(module)
