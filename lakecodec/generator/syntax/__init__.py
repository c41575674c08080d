"""The syntax tree: what a file says, before any name is looked up. `parse.py` makes it, `resolve/` reads it.

Every node carries its location. Expressions and the parts of records and tables keep this form in the model, since they
are resolved against values that exist only while bytes are read or written.
"""

from .expressions import Binary, Call, Compare, Each, Expr, Index, IsCase, Literal_, Member, Name, Slice, Ternary, Unary
from .extensions import ArrowMap, CodecDef, EncodingDef, Extern, FnDef, Pattern, Shape, State, VariantCase, VariantDef
from .files import Definition, File, Include, Namespace
from .records import Dimension, Loop, ParamDef, RecordDef, RecordField, Setting, TableColumn, TableDef, Where, WireType
from .thrift import ConstDef, EnumDef, EnumMemberDef, FieldDef, FunctionDef, SenumDef, ServiceDef, StructDef, TypedefDef
from .types import (
    ConstList,
    ConstMap,
    ConstRange,
    ConstReference,
    ConstValue,
    ListType,
    MapType,
    NamedType,
    SetType,
    TypeExpr,
    type_text,
)

__all__ = [
    "ArrowMap",
    "Binary",
    "Call",
    "CodecDef",
    "Compare",
    "ConstDef",
    "ConstList",
    "ConstMap",
    "ConstRange",
    "ConstReference",
    "ConstValue",
    "Definition",
    "Dimension",
    "Each",
    "EncodingDef",
    "EnumDef",
    "EnumMemberDef",
    "Expr",
    "Extern",
    "FieldDef",
    "File",
    "FnDef",
    "FunctionDef",
    "Include",
    "Index",
    "IsCase",
    "ListType",
    "Literal_",
    "Loop",
    "MapType",
    "Member",
    "Name",
    "NamedType",
    "Namespace",
    "ParamDef",
    "Pattern",
    "RecordDef",
    "RecordField",
    "SenumDef",
    "ServiceDef",
    "SetType",
    "Setting",
    "Shape",
    "Slice",
    "State",
    "StructDef",
    "TableColumn",
    "TableDef",
    "Ternary",
    "TypeExpr",
    "TypedefDef",
    "Unary",
    "VariantCase",
    "VariantDef",
    "Where",
    "WireType",
    "type_text",
]
