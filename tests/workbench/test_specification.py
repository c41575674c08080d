"""Pages of specifications: valid HTML that says all of an IDL, with links that lead somewhere."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lakecodec.cli.app import run
from lakecodec.generator.compile import load_checked
from lakecodec.generator.model import Enum, Record, Struct
from lakecodec.workbench.specification import write_pages
from lakecodec.workbench.specification.pages import sections_of

from ..paths import SPECS

_VOID = {"meta", "link", "br", "hr", "img", "input"}
_FILES = [SPECS / "mosaic.idl", SPECS / "deletion_vector.idl", SPECS / "row.idl", SPECS / "parquet_file.idl"]
_FILES += [SPECS / "gallery" / f"{name}.idl" for name in ("wave", "tzif")]


class _Checker(HTMLParser):
    """Checks that elements are closed in order; collects ids, links, headings and pictures."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in _VOID:
            self.open.append(tag)
        if "id" in given and tag != "marker":
            self.ids.append(given["id"] or "")
        if tag == "a":
            self.links.append(given["href"] or "")
        if re.fullmatch(r"h\d", tag):
            self.headings.append(int(tag[1]))
        if tag == "script" or any(name in ("src", "srcset") for name in given):
            self.problems.append(f"{tag} loads something")
        if tag == "th" and "scope" not in given:
            self.problems.append("a heading cell without scope")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """SVG's empty elements."""

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> closes nothing")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("pages")
    return {path.name: path.read_text(encoding="utf-8") for path in write_pages(_FILES, folder)}


def test_pages_are_valid_and_their_links_lead_somewhere(pages: dict[str, str]) -> None:
    checked = {}
    for name, text in pages.items():
        checker = _Checker()
        checker.feed(text)
        assert checker.open == [], name
        assert checker.problems == [], name
        assert len(set(checker.ids)) == len(checker.ids), name
        assert checker.headings[0] == 1
        assert all(b - a <= 1 for a, b in zip(checker.headings, checker.headings[1:], strict=False)), name
        assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
        checked[name] = checker
    for name, checker in checked.items():
        for link in checker.links:
            page, _, anchor = link.partition("#")
            target = checked[page or name]
            assert not anchor or anchor in target.ids, link


def test_diagrams_are_well_formed_and_described(pages: dict[str, str]) -> None:
    drawn = re.findall(r"<svg.*?</svg>", "".join(pages.values()), re.DOTALL)
    assert len(drawn) > 30
    for each in drawn:
        root = ElementTree.fromstring(each)
        assert root.get("role") == "img"
        title = root.find("title")
        assert title is not None
        assert title.text
        assert all(float(box.get("width", "0")) > 0 for box in root.iter("rect"))


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_every_type_field_and_member_is_there(pages: dict[str, str], path: Path) -> None:
    text = pages[f"{path.stem}.html"]
    for item in load_checked(path).definitions:
        assert f'id="{item.name}"' in text
        names = [each.name for each in item.fields] if isinstance(item, Record | Struct) else []
        names += [each.name for each in item.members] if isinstance(item, Enum) else []
        for name in names:
            assert f">{name}</th>" in text


def test_rules_documentation_and_places_are_shown(pages: dict[str, str]) -> None:
    mosaic = pages["mosaic.html"]
    assert "where num_buckets &gt; 0 (else &#34;footer num_buckets must be &gt; 0&#34;)" in mosaic
    assert "footer tells where schema is" in mosaic
    assert "Arrow: decimal128(precision, scale)" in mosaic
    assert "codec zstd(i64 inflated)" in mosaic
    assert '<a href="parquet.html#FileMetaData">' in pages["parquet_file.html"]


def test_choices_are_tables_and_declarations_know_their_users(pages: dict[str, str]) -> None:
    vectors = pages["deletion_vector.html"]
    assert "<caption>Values of shape_of</caption>" in vectors
    assert '<td class="mono">numbers &gt; MOST_IN_ARRAY</td><td class="mono">1</td>' in vectors
    assert '<p>Used by <a href="#Bitmap">Bitmap</a>.</p>' in vectors


def test_what_a_reader_refuses_is_listed(pages: dict[str, str]) -> None:
    row = '<tr><td>footer is encrypted</td><td class="mono"><a href="#Head">Head</a>.magic</td></tr>'
    assert row in pages["parquet_file.html"]
    assert pages["deletion_vector.html"].count("<td>not a Roaring bitmap</td>") == 1


def test_examples_are_explored(pages: dict[str, str]) -> None:
    for name in ("wave", "deletion_vector", "mosaic"):
        assert 'id="example-bytes"' in pages[f"{name}.html"]
    assert '>"RIFF"<' in pages["wave.html"].replace("&#34;", '"')


def test_the_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["doc", "-o", "out"]) == 2
    assert "name IDL files" in capsys.readouterr().err
    (tmp_path / "bad.idl").write_text("record R { u9 x; }")
    assert run(["doc", "bad.idl", "-o", "out"]) == 1
    assert "bad.idl:1:" in capsys.readouterr().err


def test_pages_of_earlier_calls_stay_in_the_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.idl").write_text("/** The <first> & only. */\nnamespace py one\nrecord R { u8 x; }")
    (tmp_path / "two.idl").write_text("record S { u8 y; }")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/about.html").write_text("<title>about: us</title>")
    for name in ("one", "two", "one"):
        assert run(["doc", f"{name}.idl"]) == 0
        assert capsys.readouterr().out == f"wrote pages/{name}.html\nwrote pages/index.html\n"
    index = (tmp_path / "pages/index.html").read_text()
    assert re.findall(r'<li><a href="(.*?)">(.*?)</a>: (.*?)</li>', index) == [
        ("one.html", "one", "The &lt;first&gt; &amp; only."), ("two.html", "two", "two"),
    ]  # fmt: skip


@pytest.mark.parametrize("path", sorted(SPECS.rglob("*.idl")), ids=lambda path: path.stem)
def test_every_format_becomes_sections(path: Path) -> None:
    model = load_checked(path)
    found = " ".join(str(section) for section in sections_of(model))
    assert all(item.name in found for item in model.definitions)
