"""`lakecodec generate` and `lakecodec check`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from . import arguments
from . import output as printed
from .described import as_idl

# Only commands that run the compiler import it, so that `--help` and other commands need not wait for Lark.
if TYPE_CHECKING:
    from lakecodec.generator.diagnostics import Diagnostic, Diagnostics
    from lakecodec.generator.manifest import Manifest

_IDL = typer.Argument(None, callback=as_idl, help="IDL, .ksy or .proto files. Default: those that the manifest lists.")
_FILES = typer.Argument(..., callback=as_idl, help="IDL, .ksy or .proto files.")
_DOC_LINT = typer.Option(
    None,
    "--doc-lint/--no-doc-lint",
    help="Report declarations without a doc comment. Default: as in lakecodec.yaml, else off.",
)
_OUTPUT = typer.Option(None, "-o", "--output", metavar="DIR", help="Folder for the generated modules.")
_CHECK = typer.Option(
    False, "--check", help="Write nothing; show what is stale, missing or orphaned, and exit 1 if so."
)
_DUMP = typer.Option(None, "--dump", metavar="TYPE", help="Print the lowered schema of a type and write nothing.")
_MANIFEST = typer.Option(
    None,
    "--manifest",
    metavar="FILE",
    help="Manifest that is used if no IDL file is named. Default: [tool.lakecodec] manifest of pyproject.toml, "
    "else idl/lakecodec.yaml.",
)


def add_to(app: typer.Typer) -> None:
    app.command()(generate)
    app.command()(check)


def generate(
    idl: list[Path] | None = _IDL,
    output: Path | None = _OUTPUT,
    include: list[Path] = arguments.INCLUDE,
    manifest: Path | None = _MANIFEST,
    check: bool = _CHECK,
    dump: str | None = _DUMP,
    allow_extern: list[str] = arguments.ALLOW_EXTERN,
) -> None:
    """Compile IDL files to Python modules."""
    from lakecodec.generator.diagnostics import Diagnostics
    from lakecodec.generator.project import apply, changes, explicit_manifest, wanted_files

    diagnostics = Diagnostics()
    allowed = arguments.allowed_externs(allow_extern)
    if dump is not None:
        files = idl or manifest_files(manifest, diagnostics)
        typer.echo(_dumped(dump, files, include, allowed, diagnostics), nl=False)
        return
    if idl:
        if output is None:
            raise typer.BadParameter("IDL files need an output folder: -o DIR", param_hint="-o")
        followed = explicit_manifest(idl, output, include, allowed)
    else:
        followed = _manifest(manifest, diagnostics)
        followed = replace(followed, allow_extern=[*followed.allow_extern, *allow_extern])
        if output is not None:
            followed = followed.with_output(output)
    wanted = wanted_files(followed, diagnostics)
    pending = [item for item in changes(followed, wanted) if not (idl and item.state == "orphaned")]
    if check:
        for item in pending:
            typer.echo(f"{item.state}: {item.path}")
            typer.echo(item.diff, nl=False)
        if pending:
            typer.echo("Run `lakecodec generate` to bring the files up to date.")
            raise typer.Exit(1)
        return
    apply(wanted, pending)
    for item in pending:
        typer.echo(f"{'removed' if item.state == 'orphaned' else 'wrote'} {item.path}")
    if not pending:
        typer.echo(f"{len(wanted)} files are up to date")


def manifest_files(manifest: Path | None = None, diagnostics: Diagnostics | None = None) -> list[Path]:
    """Returns the IDL files that a manifest lists; by default those of the project here."""
    from lakecodec.generator.diagnostics import Diagnostics

    found = Diagnostics() if diagnostics is None else diagnostics
    return [Path(target.idl) for target in _manifest(manifest, found).targets]


def _manifest(given: Path | None, diagnostics: Diagnostics) -> Manifest:
    from lakecodec.generator.manifest import default_manifest, load_manifest

    path = given or default_manifest()
    if not path.exists():
        remedy = "" if given else "; name IDL files and a folder: lakecodec generate FILE.idl -o DIR"
        raise FileNotFoundError(f"there is no manifest {str(path)!r} here{remedy}")
    return load_manifest(path, diagnostics)


def _dumped(name: str, idl: list[Path], include: list[Path], allowed: list[str], diagnostics: Diagnostics) -> str:
    """Returns the lowered schema of a type of the files, included ones last."""
    from lakecodec.generator.compile import load_compilable
    from lakecodec.generator.graph import in_order
    from lakecodec.generator.print.dump import dump as dump_of
    from lakecodec.generator.print.dump import dumpable
    from lakecodec.runtime.suggest import did_you_mean

    known: list[str] = []
    for path in idl:
        module = load_compilable(path, include_paths=include, allow_extern=allowed, diagnostics=diagnostics)
        for each in reversed(in_order(module)):
            if name in (names := dumpable(each)):
                return dump_of(each, name)
            known += names
    raise typer.BadParameter(f"no type {name!r}{did_you_mean(name, known)}", param_hint="--dump")


def check(
    idl: list[Path] = _FILES,
    include: list[Path] = arguments.INCLUDE,
    doc_lint: bool | None = _DOC_LINT,
    allow_extern: list[str] = arguments.ALLOW_EXTERN,
    as_json: bool = printed.JSON,
) -> None:
    """Check and lint IDL files: all that `generate` does with them, without writing a file."""
    from lakecodec.generator.compile import load_compilable
    from lakecodec.generator.diagnostics import Diagnostics, IdlError
    from lakecodec.generator.lint import LintRules, lint
    from lakecodec.generator.manifest import default_manifest, load_manifest

    errors: list[Diagnostic] = []
    diagnostics = Diagnostics()
    manifest = default_manifest()
    rules = load_manifest(manifest, diagnostics).rules_of if manifest.exists() else lambda path: LintRules()
    allowed = arguments.allowed_externs(allow_extern)
    failed = False
    for path in idl:
        try:
            module = load_compilable(path, include_paths=include, allow_extern=allowed, diagnostics=diagnostics)
        except IdlError as error:
            failed = True
            errors += error.diagnostics
            if not as_json:
                typer.echo(str(error), err=True)
            diagnostics = Diagnostics()
            continue
        chosen = rules(path)
        lint(module, diagnostics, chosen if doc_lint is None else replace(chosen, docs=doc_lint))
    if as_json:
        findings = [_finding(finding) for finding in (*errors, *diagnostics.found)]
        printed.print_json({"sound": not failed, "files": [str(path) for path in idl], "findings": findings})
    else:
        for finding in diagnostics.found:
            typer.echo(str(finding), err=True)
    if failed:
        raise typer.Exit(1)
    if not as_json:
        typer.echo(f"{len(idl)} {'file' if len(idl) == 1 else 'files'} checked, no errors")


def _finding(found: Diagnostic) -> dict[str, Any]:
    place = found.location
    return {
        "severity": "warning" if found.warning else "error",
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "length": place.length,
        "message": found.message,
        "rule": found.rule or None,
    }
