"""`%load_ext lakecodec`: the magic of cells and the HTML of objects, in a shell and in a notebook that runs."""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator
from typing import Any

import pytest

import lakecodec
from lakecodec.parquet import verify
from lakecodec.runtime.ranges import map_ranges

from ..mosaic import examples

pytest.importorskip("IPython", reason="IPython is not installed: pip install ipykernel")

CELL = "record Entry : little { u8 size = size(text); /** Said <b>so</b>. */ utf8 text[size]; }"


@pytest.fixture
def shell() -> Iterator[Any]:
    from IPython.core.interactiveshell import InteractiveShell

    made = InteractiveShell()
    made.run_line_magic("load_ext", "lakecodec")
    yield made
    made.atexit_operations()
    atexit.unregister(made.atexit_operations)


def html_of(shell: Any, value: Any) -> str:
    found, _ = shell.display_formatter.format(value)
    return str(found.get("text/html", ""))


def test_a_cell_becomes_a_module(shell: Any) -> None:
    shell.run_cell_magic("idl", "log", CELL)
    log = shell.user_ns["log"]
    value = log.Entry(text="<i>")
    assert value.to_bytes() == b"\x03<i>"
    found = html_of(shell, value)
    assert found.count("<details") == 1
    assert re.search(r"000001</span> <b>text</b> <i>utf8\[size\]</i> = &#x27;&lt;i&gt;&#x27;", found)
    assert "Said &lt;b&gt;so&lt;/b&gt;." in found
    assert "<i>&" not in found.replace("<i>utf8", "")


def test_errors_show_the_line(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    done = shell.run_cell("%%idl log\nrecord Entry {\n  u9 x;\n}")
    assert isinstance(done.error_in_exec, lakecodec.IdlError)
    printed = capsys.readouterr().out
    assert "2:3: " in printed
    assert "^" in printed
    assert "Traceback" not in printed
    assert "log" not in shell.user_ns
    for line in ("", "two names", "1x"):
        with pytest.raises(ValueError, match="one name for the module is needed"):
            shell.run_cell_magic("idl", line, CELL)


def test_externs_are_asked_for(shell: Any) -> None:
    text = 'fn f(i32 n) -> i32 = extern "tests.nothing:f";'
    with pytest.raises(lakecodec.IdlError, match="allow"):
        shell.run_cell_magic("idl", "log", text)


def test_trees_nodes_and_files(shell: Any) -> None:
    data = bytes.fromhex(examples.PAGED[2])
    tree = lakecodec.explore(data)
    assert html_of(shell, tree).startswith("<iframe srcdoc=")
    assert '"mosaic.File"' not in html_of(shell, tree)
    node = html_of(shell, tree.find("footer"))
    assert "<b>num_buckets</b>" in node
    with lakecodec.mosaic.MosaicFile(data) as file:
        assert "<table>" in html_of(shell, file)
    # A file that is read as it is asked for is not written to be shown.
    from lakecodec.generated.mosaic import File

    assert "<table>" in html_of(shell, File.open(map_ranges(data)))


def test_lists_of_findings(shell: Any) -> None:
    changes = lakecodec.breaking("struct A { 1: required i32 x }", "struct A { 1: required string x }")
    assert "<td>type-changed</td>" in html_of(shell, changes)
    assert html_of(shell, []) == html_of(shell, [1, 2]) == html_of(shell, [changes[0], 1]) == ""
    assert "<th>rule</th>" in html_of(shell, verify(b"PAR1 nothing of the kind PAR1"))


def test_arrow_tables(shell: Any) -> None:
    import pyarrow as pa

    found = html_of(shell, pa.table({"a<b": list(range(30)), "name": ["<i>", None] * 15}))
    assert "<caption>30 rows</caption>" in found
    assert found.count("<tr>") == 21
    assert "<th>a&lt;b: int64</th>" in found
    assert "<td>&lt;i&gt;</td>" in found


def test_what_cannot_be_written_is_shown(shell: Any) -> None:
    module = lakecodec.compile_idl("record R { u8 x where x < 3; }")
    assert "It cannot be written: " in html_of(shell, module.R(x=9))


def test_a_notebook_runs() -> None:
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    from nbclient import NotebookClient

    cells = ["%load_ext lakecodec", f"%%idl log\n{CELL}", "log.Entry(text='disk full')"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (output,) = notebook.cells[2].outputs
    assert "disk full" in output.data["text/html"]
