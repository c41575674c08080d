"""The text of one file while it is made: the names that it uses, and its notes."""

from __future__ import annotations

from .imported import Note
from .ksy_choices import Choices
from .ksy_files import KsyFile
from .ksy_kinds import InexpressibleError, Kind, Types
from .ksy_model import Attribute, KsyEnum, KsyType
from .ksy_names import Names
from .ksy_orders import fixed_order, order_owner
from .ksy_spans import Spans
from .ksy_translate import Translator

_PARAMETERS = {"int": "i64", "float": "double", "bool": "bool", "str": "string", "bytes": "binary"}


class Page:
    """The text of one file while it is made: the names that it uses, and its notes."""

    def __init__(self, file: KsyFile, types: Types, names: Names, translator: Translator, choices: Choices) -> None:
        self.file = file
        #: The file of the current type.
        self.at = file
        self.types = types
        self.names = names
        self.translator = translator
        self.choices = choices
        self.spans = Spans(types, choices)
        self.clear()

    def clear(self) -> None:
        """Resets the text and its notes."""
        self.writable: dict[str, str | None] = {}
        self.codecs: dict[str, tuple[str, str]] = {}
        self.structs: dict[str, str] = {}
        self.included: list[str] = []
        self.notes: list[Note] = []
        #: (holder, attribute) -> the type arguments that satisfy needs: the type, the path, the text.
        self.met_needs: dict[tuple[int, str], list[tuple[KsyType, tuple[str, ...], str]]] = {}
        self.translator.functions.pop(self.file.idl, None)

    def note(self, line: int, message: str, kind: str) -> str:
        self.notes.append(Note(self.at.file, line, message, kind))
        return f"// {' '.join(message.split())}"

    def need_class(self, made: KsyType, each: Attribute, text: str) -> None:
        """Notes that a type needs a Python class to read and write it."""
        self.note(each.line, text, "extern")
        name = self.names(made, made)
        before = self.writable.get(name)
        self.writable[name] = text if before is None else f"{before}; {text}"

    def omit(self, holder: KsyType, name: str, why: str) -> None:
        """Leaves an attribute out of the IDL, and for a field of `seq` also all fields behind it."""
        self.choices.left_out.setdefault((id(holder), name), why)
        names = [each.id for each in holder.seq]
        if name in names:
            for each in names[names.index(name) + 1 :]:
                self.choices.left_out.setdefault((id(holder), each), f"it comes after '{name}'")

    def reference(self, of: KsyType | KsyEnum, within: KsyType) -> str:
        owner: KsyFile = of.owner.file if isinstance(of, KsyEnum) else of.file
        if owner.idl != self.file.idl and owner.idl not in self.included:
            if owner not in within.file.all_imports():
                raise InexpressibleError("its file is not imported")
            self.included.append(owner.idl)
        return self.names(of, within)

    def parameter_type(self, kind: Kind, within: KsyType) -> str:
        if kind.name in _PARAMETERS:
            found = kind.wire if kind.wire == "u64" else _PARAMETERS[kind.name]
        elif kind.of is not None:
            found = self.reference(kind.of, within)
        else:
            raise InexpressibleError(f"a parameter cannot be {kind.name}")
        return f"list<{found}>" if kind.lists else found

    def enum_clause(self, made: KsyType, each: Attribute) -> list[str]:
        if each.enum is None:
            return []
        enum = self.types.find_enum(each.enum, made)
        if enum is None:
            self.note(each.line, f"{each.id} stays a number: there is no enum {'::'.join(each.enum)}", "import")
            return []
        return [f"via enum({self.reference(enum, made)})"]

    def number_type(self, wire: str, order: str, made: KsyType) -> str:
        """Returns a number's type, with its byte order if that is not the record's."""
        if wire in ("u8", "i8"):
            return wire
        if not order:
            if order_owner(made) is None and not fixed_order(made):
                raise InexpressibleError("the byte order is given neither by its type nor by `meta`")
            return wire
        own = "" if order_owner(made) is not None else fixed_order(made) or "le"
        return wire if order == own else f"{wire}{order}"
