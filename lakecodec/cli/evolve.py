"""`lakecodec sample`, `lakecodec breaking` and `lakecodec doc`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from . import arguments
from . import output as printed
from .described import as_idl

# Each command imports the rest itself, so that `--help` and other commands need not wait for Lark.
if TYPE_CHECKING:
    from lakecodec.generator.manifest import BreakingRules
    from lakecodec.runtime.compiled import CompiledModule

_IDL = typer.Argument(..., callback=as_idl, help="IDL, .ksy or .proto file.")
_TYPE = typer.Option(
    ...,
    "--type",
    metavar="TYPE",
    autocompletion=arguments.complete_type,
    help="A struct, union, record or variant of the file.",
)
_COUNT = typer.Option(10, "-n", "--count", metavar="N", min=0, help="Number of samples.")
_SEED = typer.Option(0, "--seed", metavar="N", help="The same seed gives the same samples.")
_MUTATE = typer.Option(False, "--mutate", help="Make damaged samples: one field of each is changed, moved or cut.")
_UNREACHED = typer.Option(False, "--unreached", help="Print the branches that no sample has, instead of samples.")
_OUTPUT = typer.Option(
    None, "-o", "--output", metavar="DIR", help="Folder for one file per sample. Default: print one line per sample."
)
_OLD = typer.Argument(
    ..., callback=as_idl, help="IDL, .ksy or .proto file, folder of them, or git revision: HEAD~1, v1.0:idl/shop.idl."
)
_NEW = typer.Argument(..., callback=as_idl, help="The newer version, in the same form.")
_ALLOW = typer.Option(
    [], "--allow", metavar="PATTERN", help="A rule to ignore, or 'rule where'; * matches anything. May be repeated."
)
_CATEGORY = typer.Option(
    [],
    "--category",
    **arguments.choices(("wire", "json", "source")),
    help="Only changes of this category. May be repeated. Default: all.",
)
_BASELINE = typer.Option(None, "--baseline", metavar="FILE", help="File of known findings, which are ignored.")
_WRITE_BASELINE = typer.Option(
    None, "--write-baseline", metavar="FILE", help="Write the findings to a baseline, and exit 0."
)
_FILES = typer.Argument(
    None, callback=as_idl, help="IDL, .ksy or .proto files. Default: those that the manifest lists."
)
_PAGES = typer.Option(Path("pages"), "-o", "--output", metavar="DIR", help="Folder for the pages.")


def add_to(app: typer.Typer) -> None:
    app.command()(sample)
    app.command()(breaking)
    app.command()(doc)


def sample(
    idl: Path = _IDL,
    type: str = _TYPE,
    n: int = _COUNT,
    seed: int = _SEED,
    mutate: bool = _MUTATE,
    unreached: bool = _UNREACHED,
    output: Path | None = _OUTPUT,
    include: list[Path] = arguments.INCLUDE,
    allow_extern: list[str] = arguments.ALLOW_EXTERN,
    as_json: bool = printed.JSON,
) -> None:
    """Make valid examples of a type that reach all of its declaration, or damaged ones; one line of JSON each."""
    from lakecodec.generator import compile_idl
    from lakecodec.workbench.sampling.damage import damaged
    from lakecodec.workbench.sampling.sampler import sample_list

    cls = _class(compile_idl(idl, include_paths=include, allow_extern=arguments.allowed_externs(allow_extern)), type)
    if unreached:
        from lakecodec.workbench.sampling import coverage

        names = coverage.unreached(cls, n, seed)
        if as_json:
            printed.print_json(names)
            return
        for name in names:
            typer.echo(name)
        return
    lines: list[tuple[bytes, dict[str, Any]]] = []
    if mutate:
        for bad in damaged(cls, n, seed):
            place = {"damage": bad.kind, "path": bad.path, "offset": bad.offset}
            lines.append(
                (bad.data, {**place, "error": _error(cls, bad.data, bad.parameters), **_given(bad.parameters)})
            )
    else:
        for good in sample_list(cls, n, seed, track=printed.progress):
            lines.append((good.data, {**_value(good.value), **_given(good.parameters)}))
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
        for number, (data, _) in enumerate(lines):
            path = output / f"{type}-{number:04}.bin"
            path.write_bytes(data)
            typer.echo(f"wrote {path}")
        return
    found = [{"bytes": data.hex(), **told} for data, told in lines]
    if as_json:
        printed.print_json(found)
        return
    for each in found:
        typer.echo(json.dumps(each, ensure_ascii=False))


def breaking(
    old: str = _OLD,
    new: str = _NEW,
    allow: list[str] = _ALLOW,
    category: list[str] = _CATEGORY,
    baseline: Path | None = _BASELINE,
    write_baseline: Path | None = _WRITE_BASELINE,
    allow_extern: list[str] = arguments.ALLOW_EXTERN,
    as_json: bool = printed.JSON,
) -> None:
    """Find the changes of IDL files that break something, with bytes that prove it; exit 1 if there are any."""
    from lakecodec.generator.manifest import BREAKING_CATEGORIES
    from lakecodec.runtime.suggest import did_you_mean
    from lakecodec.workbench.breaking import breaking as found_between
    from lakecodec.workbench.breaking import policy

    for each in category:
        if each not in BREAKING_CATEGORIES:
            hint = did_you_mean(each, BREAKING_CATEGORIES) or f"; give one of {', '.join(BREAKING_CATEGORIES)}"
            raise typer.BadParameter(f"no category {each!r}{hint}", param_hint="--category")
    rules = _breaking_rules(allow, category)
    baseline = rules.baseline if baseline is None else baseline
    known = [] if baseline is None or write_baseline is not None else policy.read_baseline(baseline)
    modules = arguments.allowed_externs(allow_extern)
    changes = found_between(old, new, allow_extern=modules, track=printed.progress)
    found = policy.judged(changes, rules, known)
    if write_baseline is not None:
        policy.write_baseline(write_baseline, found)
        typer.echo(f"wrote {write_baseline}: {len(found)} findings")
        return
    for gone in policy.outlived(changes, known):
        typer.echo(f"{baseline}: no longer found, remove it: {gone['rule']} {gone['where']}", err=True)
    if as_json:
        printed.print_json([{**printed.plain(each), "category": each.category} for each in found])
    else:
        for change in found:
            typer.echo(str(change))
    if found:
        raise typer.Exit(1)
    if not as_json:
        typer.echo("nothing breaks")


def _breaking_rules(allow: list[str], category: list[str]) -> BreakingRules:
    """Returns the rules of the project's manifest, with those of the command."""
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.manifest import BreakingRules, default_manifest, load_manifest

    manifest = default_manifest()
    rules = load_manifest(manifest, Diagnostics()).breaking if manifest.exists() else BreakingRules()
    return replace(rules, allow=(*rules.allow, *allow), categories=tuple(category) or rules.categories)


def doc(
    idl: list[Path] | None = _FILES,
    output: Path = _PAGES,
    allow_extern: list[str] = arguments.ALLOW_EXTERN,
    as_json: bool = printed.JSON,
) -> None:
    """Write the specification of each IDL file as one HTML page: diagrams, fields, rules, an example byte by byte."""
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.manifest import default_manifest, load_manifest
    from lakecodec.workbench.specification import write_pages

    files = list(idl or [])
    if not files:
        manifest = default_manifest()
        if not manifest.exists():
            raise FileNotFoundError(
                f"there is no manifest {str(manifest)!r} here; name IDL files: lakecodec doc FILE.idl -o DIR"
            )
        files = [target.idl for target in load_manifest(manifest, Diagnostics()).targets]
    written = write_pages(files, output, printed.progress, allow_extern=arguments.allowed_externs(allow_extern))
    if as_json:
        printed.print_json([str(path) for path in written])
        return
    for path in written:
        typer.echo(f"wrote {path}")


def _class(module: CompiledModule, name: str) -> Any:
    from lakecodec.runtime.suggest import did_you_mean

    found = [each for each, spec in module.__spec__.items() if spec.kind != "enum"]
    if name not in found:
        raise typer.BadParameter(f"no type {name!r}{did_you_mean(name, found)}", param_hint="--type")
    return module.__spec__[name].cls


def _value(value: Any) -> dict[str, Any]:
    """Returns the value where it has a form in JSON; a record whose fields are placed has its bytes alone."""
    return {"value": json.loads(value.to_json())} if hasattr(value, "to_json") else {}


def _given(parameters: tuple[Any, ...]) -> dict[str, Any]:
    return {"parameters": [printed.plain(_plain(each)) for each in parameters]} if parameters else {}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def _error(cls: Any, data: bytes, parameters: tuple[Any, ...]) -> str | None:
    from lakecodec.runtime.errors import DecodeError

    try:
        cls.from_bytes(data, *parameters)
    except DecodeError as error:
        return str(error)
    return None
