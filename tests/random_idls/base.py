"""What random fields are made of: names, small numbers, expressions and conditions."""

from __future__ import annotations

from typing import Any

NUMBERS = (
    "u8",
    "i8",
    "u16",
    "i16",
    "u24",
    "i24",
    "u32",
    "i32",
    "u40",
    "i48",
    "u48",
    "u64",
    "i64",
    "bool8",
    "f32",
    "f64",
)
VARIABLE = ("uvarint32", "svarint32", "uvarint64", "svarint64", "vlq32", "vlq9")
INTEGERS = ("u8", "i16", "u24", "uvarint32")


class Base:
    """The numbers that the fields of a record can name."""

    def __init__(self, writer: Any, takes: bool) -> None:
        self.takes = takes
        self.writer, self.random = writer, writer.random
        self.small = ["k"] if takes else []
        self.told_numbers: list[str] = []
        self.is_endless = False

    def expression(self) -> str:
        """Returns a small number."""
        draw, own = self.random.random(), self.random.choice(self.small or ["3"])
        if draw < 0.4:
            return own
        if draw < 0.5:
            return str(self.random.randrange(6))
        other = self.random.choice(self.small or ["2"])
        forms = (
            f"{own} % 3",
            f"{own} + 1",
            f"max({own}, {other})",
            f"({own} & 3)",
            f"({own} > 2 ? 1 : {other})",
            f"{own} - {own} / 2",
        )
        return self.random.choice(forms)

    def condition(self) -> str:
        forms = ("{} {} {}", "({} {} {} or at_end)", "not ({} {} {})", "({} {} {} and true)")
        return self.random.choice(forms[:1] if not self.small else (*forms[:1], *forms[2:])).format(
            self.expression(), self.random.choice(("<", "<=", "==", "!=", ">")), self.expression()
        )

    def name(self, stem: str) -> str:
        return self.writer.fresh(stem)

    def small_number(self) -> tuple[str, str]:
        name = self.name("n")
        self.small.append(name)
        return name, f"{self.random.choice(INTEGERS)} {name} where 0 <= {name} < {self.random.randrange(3, 7)};"

    def number(self) -> list[str]:
        if self.random.random() < 0.5:
            return [self.small_number()[1]]
        name, type_ = self.name("x"), self.random.choice((*NUMBERS, *VARIABLE))
        via = " via enum(Color)" if type_ in ("u8", "u16", "i32") and self.random.random() < 0.3 else ""
        return [f"{type_} {name}{via};"]

    def derived(self) -> list[str]:
        when = f" when {self.condition()}" if self.random.random() < 0.3 else ""
        otherwise = ' else "another number"' if self.random.random() < 0.3 else ""
        name = self.name("d")
        self.told_numbers.append(name)
        return [f"i32 {name} = {self.expression()}{when}{otherwise};"]
