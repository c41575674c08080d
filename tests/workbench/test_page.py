"""The HTML page of a tree: what it holds, and how it behaves in a browser."""

from __future__ import annotations

import base64
import json
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest

from lakecodec.cli.app import run
from lakecodec.workbench import explore
from lakecodec.workbench.page import page_of

from ..mosaic import examples
from ..parquet.files import arrow_file, flat_table

MOSAIC = bytes.fromhex(examples.PAGED[2])
BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)

needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium: apt-get install chromium")


def png(width: int = 2) -> bytes:
    """Returns a sound picture."""
    pixels = zlib.compress(b"\0" * (2 * (1 + width)))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, 2, 8, 0, 0, 0, 0)), (b"IDAT", pixels), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_page_has_fields_and_bytes() -> None:
    data = data_of(page_of(explore(MOSAIC)))
    (file,) = data["files"]
    assert file["format"] == "mosaic.File"
    views = file["views"]
    assert [(view["path"], view["codec"]) for view in views] == [
        ("", ""), ("buckets[0][0].data.body.slots[0].page", "zstd"), ("buckets[0][0].data.body.slots[1].page", "zstd"),
        ("schema.body", "block"),
    ]  # fmt: skip
    assert b"".join(base64.b64decode(text) for _, text in views[0]["pages"]) == MOSAIC
    assert views[3]["root"][2] == views[3]["size"] == explore(MOSAIC).find("schema.inflated").value


def test_the_page_needs_no_network() -> None:
    page = page_of(explore(MOSAIC))
    assert not re.findall(r"https?://|src=|@import|url\(", page)


def test_pages_of_large_files_say_what_they_leave_out() -> None:
    tree = explore(arrow_file(flat_table(), row_group_size=2))
    page = page_of(tree)
    assert len(page) < 20_000_000
    data = data_of(page)
    (meta,) = [each for each in data["files"][0]["views"][0]["root"][10] if each[0] == "meta"]
    assert meta[2] == tree.find("meta").size


def test_text_of_a_file_is_no_markup() -> None:
    from lakecodec.generated.parquet import KeyValue

    page = page_of(explore(KeyValue(key="</script><b>", value="DATA TITLE").to_bytes(), KeyValue))
    assert "</script><b>" not in page
    assert "</script><b>" in str(data_of(page))


def test_command(tmp_path: Path) -> None:
    file, out = tmp_path / "x.mosaic", tmp_path / "x.html"
    file.write_bytes(MOSAIC)
    assert run(["explore", str(file), "--html", str(out)]) == 0
    assert "<title>x.mosaic</title>" in out.read_text(encoding="utf-8")


SCRIPTS = Path(__file__).with_name("page_scripts")
LIST = "record R : little { u32 n = count(items); Item items[n]; } record Item { u8 k = size(name); utf8 name[k]; }"


def in_browser(tmp_path: Path, page: str, name: str, size: tuple[int, int] = (1400, 900)) -> Any:
    """Returns what a script at the end of a page told in a frame of a size; no script may fail."""
    script = f"<script>\n{(SCRIPTS / name).with_suffix('.js').read_text(encoding='utf-8')}</script>"
    watch = "<script>const failed = []; onerror = message => failed.push(message);</script><style>"
    tell = '<script>parent.postMessage(JSON.stringify([typeof told === "undefined" ? null : told, failed]), "*");</script></body>'
    inner, outer = tmp_path / "page.html", tmp_path / "frame.html"
    inner.write_text(page.replace("<style>", watch, 1).replace("</body>", f"{script}{tell}"), encoding="utf-8")
    outer.write_text(
        f"""<body><pre id="told"></pre><script>onmessage = event => told.textContent = event.data;</script>
        <iframe src="page.html" width="{size[0]}" height="{size[1]}"></iframe></body>""",
        encoding="utf-8",
    )
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1500,1000"]
    command = [str(BROWSER), *options, "--dump-dom", outer.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert '<pre id="told"></pre>' not in done.stdout, done.stderr
    (text,) = re.findall(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)
    told, failed = json.loads(text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
    assert failed == []
    return told


@needs_browser
def test_in_a_browser(tmp_path: Path) -> None:
    told = in_browser(tmp_path, page_of(explore(MOSAIC)), "person")
    size = len(MOSAIC)
    footer = list(range(size - 32, size))
    assert told[0][:3] == ["footer", 0, footer]
    assert "The last bytes of a file." in told[0][3]
    assert told[1][:3] == ["footer.magic", 0, footer[-4:]]
    assert 'rule: magic must be MAGIC, else "bad magic bytes"' in told[1][3]
    assert told[2][0].startswith("buckets[0][0].data.body.directory.slot_sizes[0]")
    assert told[3][:3] == ["footer.num_row_groups", 0, footer[20:24]]
    assert [each[0] for each in told[4:7]] == ["footer.num_buckets", "footer", ""]
    assert told[7][:2] == ["schema.body.columns[1].name", 3]
    assert told[8][:2] == ["schema.body", 0]
    assert told[9][:2] == ["schema.body", 3]
    assert told[10][1] == 3
    assert told[10][0].startswith("schema.body.columns[1].name.")
    assert told[11] == "tree"


@needs_browser
def test_tools(tmp_path: Path) -> None:
    data = png()
    told = in_browser(tmp_path, page_of(explore(data)), "tools")
    assert told["briefs"] == ["IHDR", "IDAT", "IEND"]
    assert told["colours"] > 4
    assert told["offset"][1] == [16, 17]
    assert told["relative"][1] == [20, 21]
    assert told["outside"] == f"there are {len(data)} bytes"
    assert told["path"] == ["chunks[0].name", [12, 16]]
    assert told["magic"][1] == [0, 1]
    assert told["numbers"] == [
        str(int.from_bytes(data[:4], "little")),
        str(int.from_bytes(data[:4], "big")),
        f"{data[0]:08b}",
    ]
    assert told["range"] == [[0, 4], True]
    assert told["ascii"] == told["magic"][0]
    assert told["copies"] == ["chunks[0].name", "b'IHDR'", b"IHDR".hex()]
    assert told["star"].strip() == "★"
    assert "chunks[0].name" in told["sheet"]
    assert told["bookmarked"] == "chunks[0].name"
    assert (told["keys"], told["closed"]) == (True, True)
    place = data.index(b"IDAT")
    assert told["text"] == [[place, place + 4], "1 of 1"]
    assert told["hex"] == [[data.index(b"IEND"), data.index(b"IEND") + 4], "1 of 1"]
    assert told["nothing"] == "nothing"
    assert told["split"] == 24
    assert told["moved"] == [17, 18]


@needs_browser
def test_two_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, out = tmp_path / "a.png", tmp_path / "b.png", tmp_path / "out.html"
    old.write_bytes(png())
    new.write_bytes(png(width=3))
    assert run(["diff", str(old), str(new), "--html", str(out)]) == 1
    found = capsys.readouterr().out.splitlines()
    told = in_browser(tmp_path, out.read_text(encoding="utf-8"), "two")
    assert [each[1].split(":")[0] for each in told[:3]] == [
        f"difference {number} of {len(found)}" for number in (1, 2, 1)
    ]
    assert told[0][0][0] == told[0][0][1]
    assert all(count > 1 for count in told[3])
    assert told[4][0] < told[4][1]


@needs_browser
def test_many_open_lines_answer_keys(tmp_path: Path) -> None:
    data = (66_700).to_bytes(4, "little") + b"\x02ab" * 66_700
    told = in_browser(tmp_path, page_of(explore(data, idl=LIST), None), "many")
    assert (told[0], told[5]) == (200_103, "name")
    assert told[1] < 4_000
    # Some milliseconds each; the bound is for machines that do other things too.
    assert max(told[2:5]) < 200


@needs_browser
def test_on_a_phone(tmp_path: Path) -> None:
    told = in_browser(tmp_path, page_of(explore(MOSAIC)), "phone", (400, 800))
    assert (told[0], told[1], told[2] <= 400, told[3]) == (400, 400, True, 8)
    assert told[4:6] == [True, True]
    assert told[6:] == ["footer", True]
