"""Random fields at places, and up to the end of a record."""

from __future__ import annotations

from .base import Base
from .described import described


class Places(Base):
    """Fields of a record behind those in a row."""

    def placed(self) -> list[str]:
        self.is_endless = True
        return self.random.choice(
            (
                self.one,
                self.table,
                self.table,
                self.sized,
                self.trailed,
                self.trailed,
                self.based,
                self.sections,
                self.aligned,
                self.given_places,
                self.measured,
                self.described,
                self.described,
                self.described,
                self.described,
            )
        )()

    def inner_type(self) -> str:
        return self.random.choice([*self.writer.records, "u16", "E0", "E0", "u8", "O0"])

    def one(self) -> list[str]:
        at, name, type_ = self.name("at"), self.name("pl"), self.inner_type()
        forms = (
            [f"u16 {at} = offset({name});", f"{type_} {name} at {at};"],
            [f"u16 {at};", f"u8 {self.name('x')};", f"u32 {name} at {at}{self.random.choice(('', f' if {at} != 0'))};"],
            [f"u8 {at};", f"u8 {at}n = count({name});", f"bytes {name}[{at}n] at {at};"],
            [f"u8 {at};", f"u8 {at}n = size({name});", f"u16 {name}[..] at {at} size {at}n;"],
            [f"u8 {at};", f"u8 {at}n = count({name});", f"{type_} {name}[{at}n] at {at};"],
            [f"u16 {at};", f"E0 {name} at {at} if {at} > 0;"],
            [f"u8 {at};", f"u8 {at}n = size({name});", f"G1 {name} at {at} size {at}n;"],
        )
        return self.random.choice(forms)

    def table(self) -> list[str]:
        """Returns a list at places that stand in a list before it."""
        at, name, type_ = self.name("at"), self.name("pl"), self.inner_type()
        count, field = self.name("c"), ""
        field = f"u8 {count} = count({name});"
        if self.random.random() < 0.3:
            count, field = self.small_number()
        there = self.random.choice(("", "", f" if {at}[i] != 0"))
        told = self.random.choice(
            (f"u16 {at}[{count}];", f"u16 {at}[{count}];", f"u16 {at}[i < {count}] = offset({name}[i]);")
        )
        return [
            field,
            told if not there or "=" not in told else f"u16 {at}[{count}];",
            f"{type_} {name}[i < {count}] at {at}[i]{there};",
        ]

    def sized(self) -> list[str]:
        at, name = self.name("at"), self.name("pl")
        count = self.name("c")
        via = self.random.choice(("", "", " via deflate"))
        there = self.random.choice(("", f" if {at}[i].len != 0", f" if {at}[i].off != 0"))
        forms = (
            [
                f"u8 {count} = count({name});",
                f"W0 {at}[i < {count}] with len = size({name}[i]);",
                f"L1 {name}[i < {count}] at {at}[i].off size {at}[i].len{via}{there};",
            ],
            [
                f"u8 {count} = count({name});",
                f"u8 {at}[i < {count}] = size({name}[i]);",
                f"u16 {at}o[{count}];",
                f"L1 {name}[i < {count}] at {at}o[i] size {at}[i]{via};",
            ],
        )
        return self.random.choice(forms)

    def based(self) -> list[str]:
        at, name, type_ = self.name("at"), self.name("pl"), self.inner_type()
        count = self.name("c")
        plus = self.random.choice(
            (f"{at}b + {at}[i]", f"{at}b + {at}[i] * 2" if type_ == "u16" else f"{at}[i] + {at}b", f"{at}[i] - {at}b")
        )
        return [
            f"u8 {count} = count({name});",
            f"u8 {at}b where {at}b < 9;",
            f"u16 {at}[{count}];",
            f"{type_} {name}[i < {count}] at {plus};",
        ]

    def trailed(self) -> list[str]:
        """Returns what a trailer at the end describes, in front of it."""
        name, tail = self.name("pl"), self.name("tr")
        forms = (
            [f"L1 {name} at 0 size end - 1;", f"I0 {tail} with q = count({name}.v) at end - 1;"],
            [f"L1 {name} at 0 size end - 1;", f"I0 {tail} with q = size({name}) at end - 1;"],
            [f"u8 {name}[{tail}.q] at 0;", f"I0 {tail} with q = count({name}) at end - 1;"],
            [f"E0 {name}[{tail}.q] at 0;", f"I0 {tail} with q = count({name}) at end - 1;"],
            [f"L1 {name} at {tail}.off size {tail}.len;", f"W0 {tail} with len = size({name}) at end - 3;"],
            [f"W0 {name}t[{tail}.len] at {tail}.off;", f"W0 {tail} with len = count({name}t) at end - 3;"],
            [
                f"W0 {name}t[i < {tail}.len] with len = size({name}[i]) at {tail}.off;",
                f"L1 {name}[i < {tail}.len] at {name}t[i].off size {name}t[i].len;",
                f"W0 {tail} with len = count({name}t) at end - 3;",
            ],
            [f"L1 {name} at 0 size end - 4;", f"C0 {tail} with sum = crc32(all_but({tail}.sum)) at end - 4;"],
            [f"D0({tail}.q) {name} at 0;", f"I0 {tail} at end - 1;"],
        )
        return self.random.choice(forms)

    def sections(self) -> list[str]:
        """Returns records whose fields stand at places of the whole source."""
        count, name = self.name("c"), self.name("pl")
        return [f"u8 {count} = count({name});", f"{self.random.choice(('O0', 'O1'))} {name}[{count}];"]

    def aligned(self) -> list[str]:
        at, name = self.name("at"), self.name("pl")
        count = self.name("c")
        return self.random.choice(
            (
                [
                    f"u8 {count} = count({name});",
                    f"u16 {at}[{count}];",
                    f"{self.inner_type()} {name}[i < {count}] at {at}[i] align 4;",
                ],
                [f"u16 {at};", f"E0 {name} at {at} align 8;"],
                [f"u16 {at} = offset({name});", f"E0 {name} at {at} align 4;"],
            )
        )

    def given_places(self) -> list[str]:
        """Returns placed fields that other placed fields describe."""
        at, name = self.name("at"), self.name("pl")
        return self.random.choice(
            (
                [f"u8 {at};", f"E0 {name} at {at};", f"u8 {name}x at {at} + size({name});"],
                [f"u8 {at};", f"D0({at}k.q) {name} at {at};", f"u8 {at}p;", f"I0 {at}k at {at}p;"],
                [f"u8 {at};", f"W0 {name} at {at};", f"bytes {name}b[{name}.len] at {name}.off;"],
                [
                    f"u8 {at};",
                    f"W0 {name} with len = count({name}b) at {at};",
                    f"bytes {name}b[{name}.len] at {name}.off;",
                ],
                [f"u8 {at};", f"P0 {name} at {at};"],
                [f"u8 {at}n = count({name});", f"P0 {name}[{at}n] at 1;"],
            )
        )

    def measured(self) -> list[str]:
        """Returns what is derived from places, sizes and values of placed fields."""
        at, name, told = self.name("at"), self.name("pl"), self.name("d")
        number = self.random.choice(
            (
                f"size({name})",
                f"{name}.n",
                f"crc32(little_bytes({name}.n, 2))",
                f"sum({name}.v)",
                f"offset({name}) + size({name})",
            )
        )
        fields = [f"u32 {told} = {number};", f"u16 {at};", f"E0 {name} at {at};"]
        return fields if self.random.random() < 0.6 else [fields[1], fields[0], fields[2]]

    def described(self) -> list[str]:
        return described(self.random, int(self.name("")))

    def to_the_end(self) -> list[str]:
        self.is_endless = True
        name = self.name("z")
        forms = [
            f"u8 {name}[..];",
            f"bytes {name}[..];",
            f"u8 {name} = rest;\nbytes {name}r[..];",
            f"u16 {name} if not at_end;",
            f"u16 {name} if not at_end;\nu8 {name}r[..];",
            f"u8 {name}[rest];",
            f"P0 {name}[..];",
            f"L2 {name};",
            f"u8 {name}[rest - 1];\nu8 {name}l;",
            f"E0 {name}[..];",
            f"u8 {name} if rest > 2;\nbytes {name}r[..];",
            f"D0(count({name}) > 0 ? last({name}).w : 1) {name}[..];",
        ]
        if self.writer.records:
            forms.append(f"{self.random.choice(self.writer.records)} {name}[..];")
        return [self.random.choice(forms)]
