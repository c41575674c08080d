"""Random well-formed IDLs: what stands in a module, and its records, variants, structs and messages."""

from __future__ import annotations

import re
import textwrap
from random import Random

from .body import Body
from .declarations import declarations

_STRUCT_TYPES = (
    "bool",
    "byte",
    "i16",
    "i32",
    "i64",
    "double",
    "string",
    "binary",
    "Color",
    "list<i32>",
    "set<i64>",
    "map<string, i32>",
)
_MESSAGE_TYPES = (
    "uint32",
    "sint64",
    "bool",
    "double",
    "string",
    "bytes",
    "fixed32",
    "list<sint32>",
    "map<uint32, string>",
)


class Writer:
    """Writes one IDL; records name those that were written before them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.records: list[str] = []
        #: Records with one parameter, a small number.
        self.open_records: list[str] = []
        self.variants: list[str] = []
        #: The numbers that records derive.
        self.derived: dict[str, list[str]] = {}
        #: Records that take all bytes of their span.
        self.endless: list[str] = []
        self.names = 0
        #: One byte order for all, since codecs stand in one.
        self.order = random.choice(("", "big"))

    def module(self) -> str:
        parts = [*self.types()]
        for number in range(1, 4 + self.random.randrange(3)):
            parts.append(self.record(f"R{number}"))
            if self.random.random() < 0.4:
                parts.append(self.variant(f"V{number}"))
        parts.append(self.summary())
        text = "\n".join(parts)
        return declarations(text, self.order) + text

    def small_module(self) -> str:
        """Returns few fields in one to three records, so that what is wrong of two clauses is seen."""
        parts = []
        for number in range(1, 2 + self.random.randrange(3)):
            if self.random.random() < 0.2:
                parts.append(self.variant(f"V{number}"))
            parts.append(self.small_record(f"R{number}"))
        text = "\n".join(parts)
        if re.search(r"\b(S1|S2|M1)\b", text):
            text = "\n".join([*self.types(), text])
        return declarations(text, self.order) + text

    def types(self) -> list[str]:
        s1, u1 = self.struct("struct", "S1"), self.struct("union", "U1")
        return [s1, u1, self.struct("struct", "S2", "S1"), self.message()]

    def small_record(self, name: str) -> str:
        takes = self.random.random() < 0.2
        body = Body(self, takes)
        words, draw = [self.order] if self.order else [], self.random.random()
        fields = [] if draw < 0.2 and not takes else body.fields(self.random.choice((1, 1, 2)))
        if draw < 0.4 and not takes:
            fields += body.placed()
            words += self.random.choice(([], ["gaps"], ["overlaps"], ["gaps"]))
        elif draw < 0.55:
            fields += body.to_the_end()
        return self.declared(name, body, fields, words)

    def struct(self, kind: str, name: str, inner: str = "") -> str:
        types = [*_STRUCT_TYPES, *([inner, f"list<{inner}>", "U1"] if inner else [])]
        words = ("",) if kind == "union" else ("required ", "optional ", "")
        fields = [
            f"{at}: {self.random.choice(words)}{self.random.choice(types)} f{at}"
            for at in range(1, 3 + self.random.randrange(4))
        ]
        return f"{kind} {name} {{ {'; '.join(fields)} }}"

    def message(self) -> str:
        fields = [f"{at}: {self.random.choice(_MESSAGE_TYPES)} f{at};" for at in range(1, 3 + self.random.randrange(3))]
        return f"message M1 {{ {' '.join(fields)} 9: M1 again; }}"

    def variant(self, name: str) -> str:
        cases = ["0: NONE;", f"1: ONE {{ {' '.join(Body(self, False).fields(2))} }};"]
        if self.random.random() < 0.5:
            cases.append(f"2, 3: TWO {{ {' '.join(Body(self, False).fields(1))} }};")
        if self.random.random() < 0.5:
            cases.append("4: AGAIN { u8 next = tag(inside); " + name + "(next) inside; };")
        cases.append(
            "else: OTHER { u8 left where left < 5; bytes raw[left]; };"
            if self.random.random() < 0.4
            else "7: SEVEN { u8 x; };"
        )
        self.variants.append(name)
        return f"variant {name}(u8 kind) on kind{' : big' if self.order else ''} {{ {' '.join(cases)} }}"

    def record(self, name: str) -> str:
        takes = self.random.random() < 0.3
        body = Body(self, takes)
        fields = body.fields(1 + self.random.randrange(5))
        words = [self.order] if self.order else []
        if self.random.random() < 0.2 and not takes:
            fields += body.placed()
            words += self.random.choice(([], ["gaps"], ["overlaps"]))
        elif self.random.random() < 0.2 and not takes:
            fields += body.to_the_end()
        return self.declared(name, body, fields, words)

    def declared(self, name: str, body: Body, fields: list[str], words: list[str]) -> str:
        for_all = f" where {body.condition()}" if self.random.random() < 0.2 else ""
        if not (body.takes and body.is_endless):
            (self.endless if body.is_endless else self.open_records if body.takes else self.records).append(name)
        self.derived[name] = body.told_numbers
        head = f"record {name}{'(i32 k)' if body.takes else ''}{' : ' + ', '.join(words) if words else ''}{for_all}"
        return f"{head} {{\n{textwrap.indent(chr(10).join(fields), '  ')}\n}}"

    def summary(self) -> str:
        """Returns a record that derives a number from inside of what follows."""
        body = Body(self, False)
        return f"record R9{' : big' if self.order else ''} {{ {' '.join([*body.inner(), *body.fields(1)])} }}"

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"
