"""Thrift's types, constants and definitions."""

from __future__ import annotations

from typing import Any, Literal, cast

from lark import Token
from lark.tree import Meta

from ..syntax import (
    ConstDef,
    ConstList,
    ConstMap,
    ConstRange,
    ConstReference,
    ConstValue,
    EnumDef,
    EnumMemberDef,
    FieldDef,
    FunctionDef,
    ListType,
    MapType,
    NamedType,
    SenumDef,
    ServiceDef,
    SetType,
    StructDef,
    TypedefDef,
    TypeExpr,
)
from .expressions import ExpressionBuilder

Annotations = dict[str, str]


class ThriftBuilder(ExpressionBuilder):
    # ---- types ----

    def named_type(self, meta: Meta, name: Token, annotations: Annotations) -> NamedType:
        return NamedType(str(name), self._at(name), annotations)

    def list_type(
        self, meta: Meta, word: Token, before: None, value: TypeExpr, after: None, annotations: Annotations
    ) -> ListType:
        return ListType(value, self._at(word), annotations)

    def set_type(self, meta: Meta, word: Token, cpp: None, value: TypeExpr, annotations: Annotations) -> SetType:
        return SetType(value, self._at(word), annotations)

    def map_type(
        self, meta: Meta, word: Token, cpp: None, key: TypeExpr, value: TypeExpr, annotations: Annotations
    ) -> MapType:
        return MapType(key, value, self._at(word), annotations)

    def annotations(self, meta: Meta, *pairs: tuple[str, str]) -> Annotations:
        return dict(pairs)

    def annotation(self, meta: Meta, name: Token, value: str) -> tuple[str, str]:
        return str(name), value

    def annotation_value(self, meta: Meta, text: Token | None = None) -> str:
        return "1" if text is None else self._text(text)

    # ---- constant values ----

    def const_reference(self, meta: Meta, name: Token) -> ConstReference:
        return ConstReference(str(name), self._at(name))

    def const_list(self, meta: Meta, *items: ConstValue | ConstRange) -> ConstList:
        return ConstList(items, self._around(meta))

    def const_range(self, meta: Meta, low: Token, high: Token) -> ConstRange:
        return ConstRange(self._integer(low), self._integer(high), self._around(meta))

    def const_map(self, meta: Meta, *entries: tuple[ConstValue, ConstValue]) -> ConstMap:
        return ConstMap(entries, self._around(meta))

    def const_entry(self, meta: Meta, key: ConstValue, value: ConstValue) -> tuple[ConstValue, ConstValue]:
        return key, value

    # ---- definitions ----

    def const(self, meta: Meta, type_: TypeExpr, name: Token, value: ConstValue) -> ConstDef:
        return ConstDef(self._simple(name), self._at(name), type_, value, self._doc(meta))

    def typedef(self, meta: Meta, type_: TypeExpr, name: Token, annotations: Annotations) -> TypedefDef:
        return TypedefDef(self._simple(name), self._at(name), type_, annotations, self._doc(meta))

    def enum(self, meta: Meta, word: Token, name: Token, *rest: Any) -> EnumDef:
        return EnumDef(self._simple(name), self._at(name), rest[:-1], rest[-1], self._doc(meta))

    def enum_member(self, meta: Meta, name: Token, number: Token | None, annotations: Annotations) -> EnumMemberDef:
        at = self._at(name)
        value, place = (None, at) if number is None else (self._integer(number), self._at(number))
        return EnumMemberDef(self._simple(name), at, value, place, annotations, self._doc(meta))

    def senum(self, meta: Meta, name: Token, *rest: Any) -> SenumDef:
        return SenumDef(self._simple(name), self._at(name), rest[:-1], rest[-1], self._doc(meta))

    def senum_member(self, meta: Meta, text: Token) -> str:
        return self._text(text)

    def struct(self, meta: Meta, kind: Token, name: Token, *rest: Any) -> StructDef:
        return StructDef(cast(Any, str(kind)), self._simple(name), self._at(name), rest[:-1], rest[-1], self._doc(meta))

    def field(
        self,
        meta: Meta,
        id_: Token | None,
        requiredness: Literal["required", "optional", "default"],
        type_: TypeExpr,
        reference: bool,
        name: Token,
        default: ConstValue | None,
        *rest: Any,
    ) -> FieldDef:
        at = self._at(name)
        number, place = (None, at) if id_ is None else (self._integer(id_), self._at(id_))
        return FieldDef(
            self._simple(name), at, number, place, requiredness, type_, default, rest[-1], reference, self._doc(meta)
        )

    def requiredness(self, meta: Meta, word: Token | None = None) -> str:
        return "default" if word is None else str(word)

    def reference(self, meta: Meta, sign: Token | None = None) -> bool:
        return sign is not None

    # ---- services ----

    def service(self, meta: Meta, name: Token, extends: str | None, *rest: Any) -> ServiceDef:
        return ServiceDef(self._simple(name), self._at(name), extends, rest[:-1], rest[-1], self._doc(meta))

    def extends(self, meta: Meta, name: Token | None = None) -> str | None:
        return None if name is None else str(name)

    def function(self, meta: Meta, oneway: bool, result: TypeExpr | Token, name: Token, *rest: Any) -> FunctionDef:
        *arguments, throws, _ = rest
        made = None if isinstance(result, Token) else result
        fields = cast("tuple[FieldDef, ...]", tuple(arguments))
        return FunctionDef(self._simple(name), self._at(name), oneway, made, fields, throws, self._doc(meta))

    def oneway(self, meta: Meta, word: Token | None = None) -> bool:
        return word is not None
