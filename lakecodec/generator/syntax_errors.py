"""Syntax errors in plain words: what was found, and what could have stood there."""

from __future__ import annotations

import re

from lark import Lark, Token
from lark.exceptions import UnexpectedInput, UnexpectedToken
from lark.lexer import PatternStr

from ..runtime.suggest import did_you_mean
from .diagnostics import Diagnostics, Location
from .words import THRIFT_KEYWORDS, definition_hint, template_hint

_TYPES = frozenset({"NAME", "MAP", "SET", "LIST"})
_LITERALS = frozenset({"INT", "FLOAT", "STRING", "BYTES"})

#: Sets of terminals that make one phrase. The first set that is completely acceptable counts.
_PHRASES = [
    (frozenset({"STRUCT", "ENUM", "_CONST", "_TYPEDEF", "$END"}), "a definition"),
    (frozenset({"NAME", "_CONST", "_THROWS", "REQUIRED"}), "a name"),
    (frozenset({"INT", "REQUIRED", "OPTIONAL"}) | _TYPES, "a field"),
    (frozenset({"ONEWAY", "VOID"}) | _TYPES, "a function"),
    (_LITERALS | {"NAME", "LPAR"}, "an expression"),
    (_LITERALS | {"NAME"}, "a value"),
    (_TYPES, "a type"),
    (frozenset({"IF", "AT", "SIZE"}), "a clause"),
    (frozenset({"NAME"}), "a name"),
    (frozenset({"INT"}), "a number"),
    (frozenset({"STRING"}), "a text in quotes"),
    (frozenset({"$END"}), "the end of the file"),
]

#: Terminals that belong to a phrase but do not make one alone.
_COVERED = {
    "a name": frozenset({
        "STRUCT", "UNION", "EXCEPTION", "ENUM", "_SENUM", "_SERVICE", "_CONST", "_TYPEDEF", "_NAMESPACE", "_INCLUDE",
        "_CPP_INCLUDE", "_EXTENDS", "_THROWS", "REQUIRED", "OPTIONAL", "ONEWAY", "VOID", "MAP", "SET", "LIST",
    }),
    "a definition": frozenset({
        "MESSAGE", "ONEOF",
        "UNION", "EXCEPTION", "_SENUM", "_SERVICE", "_VARIANT", "_ENCODING", "_CODEC", "_FN", "_TABLE", "_RECORD", "_INCLUDE",
        "_CPP_INCLUDE", "_NAMESPACE", "$END",
    }),
    "an expression": frozenset({"MINUS", "NOT", "STRUCT", "UNION", "ENUM"}),
    "a clause": frozenset({"UNTIL", "DEFAULT", "ALIGN", "VIA", "ARROW", "_WHERE"}),
}  # fmt: skip

#: Words of the extensions, which Thrift takes for names: rule `word` of the grammar.
_WORDS = frozenset({
    "MESSAGE", "ONEOF",
    "_RECORD", "_VARIANT", "_ENCODING", "_CODEC", "_FN", "_TABLE", "_ON", "_OVER", "_FROM", "_WHERE", "_ELSE", "_EXTERN",
    "_WHEN", "_WRITE", "_CASE", "_NULL", "_WITH", "_VALUE", "_FOR", "_IN", "_IS", "IF", "AT", "SIZE", "UNTIL", "VIA", "ARROW",
    "OR", "AND", "NOT", "_LET", "DEFAULT", "ALIGN",
})  # fmt: skip

#: Terminals that are acceptable but seldom missing: separators, annotations, operators, and Thrift's obsolete words.
_SELDOM = frozenset({
    "COMMA", "SEMICOLON", "LPAR", "LSQB", "DOT", "QMARK", "ADD", "MULTIPLY", "BIT_OR", "BIT_XOR", "BIT_AND", "SHIFT",
    "AND", "OR", "_IS", "_XSD_ALL", "_XSD_OPTIONAL", "ARROW_TYPE",
    "_XSD_NILLABLE", "_XSD_ATTRS", "_CPP_TYPE", "_THROWS", "REFERENCE", "LESSTHAN", "MORETHAN", "STAR", "_ELSE",
})  # fmt: skip
_HEADERS = frozenset({"include", "cpp_include", "namespace"})
_COMPARATORS = frozenset({"==", "!=", "<=", ">="})


#: The remedy if `[i < n]` was meant as a comparison.
COMPARED_DIMENSION = "put the comparison in parentheses: [(a < b) ? c : d]"


def failure_offset(error: UnexpectedInput, text: str) -> int:
    """Returns the text offset at which the parser gave up."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(text)
    return error.pos_in_stream if error.pos_in_stream is not None else len(text)


def _previous(text: str, offset: int) -> str:
    """Returns the word before a place of a text."""
    words: list[str] = re.findall(r"\w+$", text[:offset].rstrip())
    return words[0] if words else ""


def report(error: UnexpectedInput, parser: Lark, text: str, file: str, diagnostics: Diagnostics) -> None:
    """Adds the diagnostic of one syntax error."""
    offset = failure_offset(error, text)
    if offset >= len(text.rstrip()):
        offset = len(text.rstrip())
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    acceptable: set[str] = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]
    found = _found(error, text, offset)
    length = len(error.token) if isinstance(error, UnexpectedToken) else 1
    begins_line = not text[offset - column + 1 : offset].strip()
    message = _message(found, begins_line, acceptable, parser)
    if "$END" in acceptable and "STRUCT" in acceptable and found.strip("'") not in _HEADERS:
        message = _definition_message(found.strip("'"), message)
    elif found == "'<'":
        message = template_hint(_previous(text, offset)) or message
    elif found == "'['" and "NAME" in acceptable and "REQUIRED" not in acceptable:
        message += ": a dimension is written after the name, as in u8 x[4]"
    elif "SEMICOLON" in acceptable and "IF" in acceptable and not acceptable >= _WORDS:
        before = len(text[:offset].rstrip())
        message = f"found {found}, expected ';' or a clause"
        line, column, length = text.count("\n", 0, before) + 1, before - text.rfind("\n", 0, before) - 1, 1
    message += _clause_hint(text[:offset])
    if "NAME" in acceptable:
        message += _requiredness_hint(text[:offset])
    if "RSQB" in acceptable and _follows_index(error):
        message += f": [i < n] numbers elements, {COMPARED_DIMENSION}"
    diagnostics.error(message, Location(file, line, column, max(1, length)))


def _requiredness_hint(text: str) -> str:
    """Returns the end of a message where the last field's first word is nearly `required` or `optional`, else nothing."""
    words = re.findall(r"\d\s*:\s*(\w+)", text)
    if not words or words[-1] in ("required", "optional"):
        return ""
    hint = did_you_mean(words[-1], ("required", "optional"))
    return hint and f": '{words[-1]}' is read as a type{hint}"


def _clause_hint(text: str) -> str:
    """Returns the end of a message where the last statement begins with the word of a clause, else nothing."""
    found = re.search(r"[;{]\s*(where|if|size|until|via|at|with)\b[^;{}]*$", text)
    if not found:
        return ""
    of_record = ", and rules of the whole record before its '{'" if found[1] == "where" else ""
    return f": '{found[1]}' is read as a type here; clauses are written before the ';' of their field{of_record}"


def _definition_message(word: str, message: str) -> str:
    known = ["struct", "union", "exception", "enum", "service", "const", "typedef", "namespace", "include", "record"]
    known += ["message", "oneof"]
    return definition_hint(word) or message + did_you_mean(word, known)


def _follows_index(error: UnexpectedInput) -> bool:
    """Returns whether the parser has just read `[name < n`."""
    stack = [getattr(value, "type", "") for value in error.interactive_parser.parser_state.value_stack]
    opened = len(stack) - stack[::-1].index("LSQB") if "LSQB" in stack else len(stack)
    return stack[opened : opened + 2] == ["NAME", "LESSTHAN"]


def _message(found: str, begins_line: bool, acceptable: set[str], parser: Lark) -> str:
    word = found.strip("'")
    if word in THRIFT_KEYWORDS and not begins_line and "NAME" in acceptable and "RBRACE" not in acceptable:
        return f"{found} is a reserved word and cannot be a name"
    if word in _HEADERS and "STRUCT" in acceptable:
        return f"{found} must come before the first definition"
    expected = _expected(acceptable, parser)
    return f"found {found}, expected {expected}" if expected else f"found {found}, which is not allowed here"


def _found(error: UnexpectedInput, text: str, offset: int) -> str:
    if offset >= len(text.rstrip()):
        return "the end of the file"
    rest = text[offset:]
    if rest.startswith("/*"):
        return "a comment that is never closed"
    if rest[0] in "\"'":
        return f"the text {rest[: _line_length(rest)]}" if isinstance(error, UnexpectedToken) else "an unclosed text"
    token = error.token if isinstance(error, UnexpectedToken) else Token("", rest[0])
    if re.match(r"[+-]?\.?\d", token):
        return f"the number {token}"
    return f"'{token}'"


def _line_length(text: str) -> int:
    return len(text.split("\n", 1)[0])


def _expected(acceptable: set[str], parser: Lark) -> str:
    remaining = acceptable - _WORDS if {"NAME"} | _WORDS <= acceptable else set(acceptable)
    phrases: list[str] = []
    for terminals, phrase in _PHRASES:
        if terminals <= remaining:
            phrases.append(phrase)
            remaining -= terminals | _COVERED.get(phrase, frozenset())
    words = {name: _word(name, parser) for name in remaining}
    likely = [word for name, word in words.items() if name not in _SELDOM and word not in _COMPARATORS]
    chosen = sorted(likely) if likely or phrases else sorted(words.values())
    phrases += [f"'{word}'" for word in chosen]
    return phrases[0] if len(phrases) == 1 else " or ".join([", ".join(phrases[:-1]), phrases[-1]]) if phrases else ""


def _word(name: str, parser: Lark) -> str:
    """Returns the text of a terminal."""
    pattern = parser.get_terminal(name).pattern
    return pattern.value if isinstance(pattern, PatternStr) else name.lstrip("_").lower()
