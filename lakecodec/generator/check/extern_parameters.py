"""Rules for declarations of lakecodec's own externs: their parameters are those of the Python class or function."""

from __future__ import annotations

from collections.abc import Mapping

from ...runtime.externs import Argument, arguments_of, built_in, external
from ..diagnostics import Diagnostics
from ..infer import accepts
from ..paths import Target
from ..syntax import CodecDef, Extern, FnDef

#: What a Python type is in an IDL.
IDL_TYPES: Mapping[type, str] = {
    bool: "bool",
    int: "i64",
    float: "double",
    str: "utf8",
    bytes: "binary",
    list: "list<binary>",
}
_KINDS: Mapping[type, Target] = {
    bool: Target("bool"), int: Target("int"), float: Target("float"), str: Target("text"), bytes: Target("bytes"),
    list: Target("bytes", lists=1),
}  # fmt: skip


def check_parameters(declared: CodecDef | FnDef, kinds: Mapping[str, Target], diagnostics: Diagnostics) -> None:
    """Reports an extern that lakecodec does not have, and parameters that it does not take.

    Args:
        kinds: those of the parameters, by name.
    """
    extern = declared.value
    if not isinstance(extern, Extern):
        return
    module, _, name = extern.target.partition(":")
    # The modules of the formats import what is generated from an IDL.
    if not name or not (built_in(module) or "").startswith(_RUNTIME):
        return
    try:
        wanted = arguments_of(external(extern.target))
    except ModuleNotFoundError:
        return  # It needs a package that is not installed here.
    except ImportError as error:
        diagnostics.error(f"{error}", extern.location)
        return
    least = sum(not each.is_optional for each in wanted)
    given = declared.params
    if not least <= len(given) <= len(wanted):
        diagnostics.error(f"'{declared.name}' {_right(declared, extern.target, wanted)}", declared.location)
        return
    for param, each in zip(given, wanted, strict=False):
        if each.types and not any(accepts(_KINDS[kind], kinds[param.name]) for kind in each.types):
            found = kinds[param.name].name
            text = f"'{param.name}' cannot be {found}: '{declared.name}' {_right(declared, extern.target, wanted)}"
            diagnostics.error(text, param.location)
            return


_RUNTIME = f"{built_in('runtime.codecs')}".removesuffix("codecs")


def parameters_text(wanted: tuple[Argument, ...]) -> str:
    """Returns arguments as parameters of an IDL."""
    return ", ".join(f"{IDL_TYPES[each.types[0]]} {each.name}" for each in wanted)


def _right(declared: CodecDef | FnDef, target: str, wanted: tuple[Argument, ...]) -> str:
    """Returns the rest of a sentence that says how the extern is declared."""
    word = "codec" if isinstance(declared, CodecDef) else "fn"
    optional = next((f", where those from '{each.name}' on may be left out" for each in wanted if each.is_optional), "")
    return f"is {target}: declare it as `{word} {declared.name}({parameters_text(wanted)})`{optional}"
