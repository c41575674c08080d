"""Style rules for IDL files. They warn; a manifest switches them on and off, and a comment lets one place break one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ..runtime.suggest import did_you_mean
from .comments import COMMENT_OR_TEXT
from .diagnostics import Diagnostics, Location
from .model import Const, Definition, Enum, Extension, Module, Record, Service, Struct, Table
from .resolve.scope import kind_of
from .syntax import CodecDef, VariantDef
from .words import FOREIGN_KEYWORDS, THRIFT_KEYWORDS

FieldStyle = Literal["snake_case", "camelCase", "any"]


@dataclass(frozen=True, slots=True)
class LintRules:
    """The lint rules that are switched on.

    Attributes:
        type_names: structs, unions, exceptions, enums, records, variants and encodings are CamelCase.
        field_names: fields (those of variants and codecs too), columns, tables, functions and codecs are snake_case;
            `camelCase` allows both, `any` switches the rule off. Members of unions may be UPPER_CASE.
        member_names: enum members, constants and alternatives of variants are UPPER_CASE.
        portable_names: no name is a word that some implementations of Thrift refuse.
        docs: every definition, field of a struct and enum member has a doc comment; off by default.
        id_order: the ids of a struct's fields rise from field to field.
        reused_ids: no id is in a gap left by earlier fields, where it may have had another meaning.
        unused_includes: every included file is used.
    """

    type_names: bool = True
    field_names: FieldStyle = "snake_case"
    member_names: bool = True
    portable_names: bool = True
    docs: bool = False
    id_order: bool = True
    reused_ids: bool = True
    unused_includes: bool = True


ALL_RULES = LintRules(docs=True)

#: The rules per category; a manifest can switch a category like a rule.
CATEGORIES = {
    "names": ("type_names", "field_names", "member_names", "portable_names"),
    "ids": ("id_order", "reused_ids"),
    "documentation": ("docs",),
    "includes": ("unused_includes",),
}
RULES = tuple(rule for rules in CATEGORIES.values() for rule in rules)

_CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*")
_UPPER = re.compile(r"[A-Z][A-Z0-9_]*")
_FIELD_STYLES = {
    "snake_case": re.compile(r"[a-z_][a-z0-9_]*"),
    "camelCase": re.compile(r"[a-z_][A-Za-z0-9_]*"),
    "any": re.compile(r".*"),
}


def lint(module: Module, diagnostics: Diagnostics, rules: LintRules = ALL_RULES) -> None:
    """Adds a warning for each place where the module breaks a rule; included modules are linted on their own.

    A comment ``// lint: off RULE: REASON`` exempts its line, or the next line if it is alone on its line.
    """
    found = _Linter(module, rules).run()
    for message, location, rule in exempted(found, module.text, module.file, RULES):
        diagnostics.warning(message, location, rule)


#: A broken rule: the message, the location and the rule's name.
Finding = tuple[str, Location, str]


class _Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def location(self) -> Location: ...


class _Documented(Protocol):
    @property
    def doc(self) -> str: ...
    @property
    def location(self) -> Location: ...


class _Linter:
    def __init__(self, module: Module, rules: LintRules) -> None:
        self._module = module
        self._rules = rules

    def run(self) -> Iterator[Finding]:
        if self._rules.unused_includes:
            for prefix, location in self._module.unused_includes.items():
                yield f"the included file '{prefix}' is not used", location, "unused_includes"
        for definition in self._module.definitions:
            yield from self._name(definition)
            yield from self._doc(f"{kind_of(definition)} '{definition.name}'", definition)
            match definition:
                case Enum():
                    yield from self._enum(definition)
                case Struct():
                    yield from self._struct(definition)
                case Record():
                    yield from self._field_names((*definition.fields, *definition.computed))
                case Extension() if isinstance(definition.syntax, VariantDef):
                    yield from self._variant(definition.syntax)
                case Extension() if isinstance(definition.syntax, CodecDef):
                    yield from self._field_names(definition.syntax.fields or ())
                case Table():
                    yield from self._field_names(definition.columns)
                case _:
                    pass

    def _name(self, definition: Definition) -> Iterator[Finding]:
        name, location = definition.name, definition.location
        match definition:
            case Const():
                yield from self._member_name(name, location)
            case Table():
                yield from self._field_names([definition])
            case Extension() if definition.kind in ("fn", "codec"):
                yield from self._field_names([definition])
            case Enum() | Struct() | Record() | Extension():
                if self._rules.type_names and not _CAMEL.fullmatch(name):
                    yield f"'{name}' is not CamelCase", location, "type_names"
            case Service():
                return
        if isinstance(definition, Enum | Struct | Const):
            yield from self._portable_name(name, location)

    def _enum(self, enum: Enum) -> Iterator[Finding]:
        for member in enum.members:
            yield from self._member_name(member.name, member.location)
            yield from self._portable_name(member.name, member.location)
            yield from self._doc(f"member '{member.name}'", member)

    def _variant(self, variant: VariantDef) -> Iterator[Finding]:
        for case in variant.cases:
            yield from self._member_name(case.name, case.location)
            yield from self._field_names((*(case.fields or ()), *case.computed))

    def _struct(self, struct: Struct) -> Iterator[Finding]:
        is_union = struct.is_union
        yield from self._field_names(
            field for field in struct.fields if not (is_union and _UPPER.fullmatch(field.name))
        )
        for field in struct.fields:
            if field.name not in THRIFT_KEYWORDS:
                yield from self._portable_name(field.name, field.location)
            yield from self._doc(f"field '{field.name}'", field)
        for message, location, rule in _id_findings(struct):
            if getattr(self._rules, rule):
                yield message, location, rule

    def _doc(self, what: str, item: _Documented) -> Iterator[Finding]:
        if self._rules.docs and not item.doc:
            yield f"{what} has no doc comment", item.location, "docs"

    # ---- names ----

    def _field_names(self, items: Iterable[_Named]) -> Iterator[Finding]:
        style = self._rules.field_names
        for item in items:
            if not _FIELD_STYLES[style].fullmatch(item.name):
                yield f"'{item.name}' is not {style}", item.location, "field_names"

    def _member_name(self, name: str, location: Location) -> Iterator[Finding]:
        if self._rules.member_names and not _UPPER.fullmatch(name):
            yield f"'{name}' is not UPPER_CASE", location, "member_names"

    def _portable_name(self, name: str, location: Location) -> Iterator[Finding]:
        if self._rules.portable_names and name in FOREIGN_KEYWORDS:
            yield f"some implementations of Thrift refuse the name '{name}'", location, "portable_names"


def _id_findings(struct: Struct) -> Iterator[Finding]:
    """Yields findings of ids that are lower than earlier ones: in a gap between two of them, or only out of order."""
    before: list[int] = []
    for field in struct.fields:
        if not field.explicit_id:
            continue
        place = field.id_location or field.location
        if before and field.id < max(before):
            lower = max((each for each in before if each < field.id), default=None)
            if lower is None:
                yield f"id {field.id} comes after id {max(before)}", place, "id_order"
            else:
                higher = min(each for each in before if each > field.id)
                message = f"id {field.id} was left out between {lower} and {higher}; old data may use it otherwise"
                yield message, place, "reused_ids"
        before.append(field.id)


#: The rule that warns of invalid lint comments. It cannot be switched off.
RULE = "exemptions"

_OFF = re.compile(r"(?://|\#)\s*lint\s*:\s*off\b\s*(?P<rule>[\w-]*)\s*:?\s*(?P<reason>.*)")


@dataclass(slots=True)
class _Exemption:
    rule: str
    reason: str
    location: Location
    #: The line that the comment exempts.
    line: int
    used: bool = False


def exempted(
    findings: Iterable[tuple[str, Location, str]], text: str, file: str, rules: Sequence[str]
) -> Iterator[tuple[str, Location, str]]:
    """Yields the findings that no comment exempts, then findings about the comments.

    A comment at the end of a line applies to that line; one on its own line to the next line with code. It names one
    rule, and gives a reason; a comment that exempts nothing is a finding.
    """
    known = list(_exemptions(text, file))
    for message, location, rule in findings:
        matching = [each for each in known if (each.rule, each.line) == (rule, location.line)]
        for each in matching:
            each.used = True
        if not matching:
            yield message, location, rule
    for each in known:
        if each.rule not in rules:
            hint = did_you_mean(each.rule, rules) or f"; rules are {', '.join(rules)}"
            yield f"there is no lint rule '{each.rule}'{hint}", each.location, RULE
        elif not each.used:
            yield f"nothing here breaks the rule '{each.rule}': remove the comment", each.location, RULE
        elif not each.reason:
            yield f"say why the rule '{each.rule}' is off: // lint: off {each.rule}: REASON", each.location, RULE


def _exemptions(text: str, file: str) -> Iterator[_Exemption]:
    lines = text.split("\n")
    code = _without_comments(text).split("\n")
    for match in COMMENT_OR_TEXT.finditer(text):
        if not (off := _OFF.fullmatch(match[0].rstrip())):
            continue
        number = text.count("\n", 0, match.start())
        column = match.start() - text.rfind("\n", 0, match.start())
        about = number
        if not code[number].strip():
            about = next((line for line in range(number + 1, len(lines)) if code[line].strip()), number)
        place = Location(file, number + 1, column, len(match[0].rstrip()))
        yield _Exemption(off["rule"].replace("-", "_"), off["reason"].strip(), place, about + 1)


def _without_comments(text: str) -> str:
    def blank(match: re.Match[str]) -> str:
        return match[0] if match[0][0] in "\"'" else re.sub(r"[^\n]", " ", match[0])

    return COMMENT_OR_TEXT.sub(blank, text)
