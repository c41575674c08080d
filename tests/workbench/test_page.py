"""The HTML page of a tree: what it holds, and how it behaves in a browser."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
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

#: What a person does: clicks a field and a byte, opens a decoded block, uses the keyboard, searches. Each step tells what is
#: selected, which bytes are marked and what the page says of it.
SCRIPT = """
<script>
const told = [], marked = () => [...document.querySelectorAll(".row i.on")].map(each => Number(each.dataset.offset));
const say = () => told.push([selected[PATH], view, marked(), byId("about").textContent]);
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const line = path => {
  const number = lines.findIndex(each => each[0][PATH] === path);
  reveal(treeBox, number); drawTree();
  return document.querySelector(`.node[data-line="${number}"]`);
};
line("footer").click(); say();
line("footer").click(); line("footer.magic").click(); say();
document.querySelector(`.row i[data-offset="0"]`)?.click(); say();
hexBox.scrollTop = rows.length * HEIGHT; drawHex();
document.querySelector(`.row i[data-offset="${page.views[0].size - 9}"]`).click(); say();
press("ArrowUp"); say(); press("ArrowLeft"); say(); press("ArrowLeft"); press("ArrowLeft"); say();
byId("search").value = "columns[1].name"; search("columns[1].name"); say();
press("Escape"); say(); press("Enter"); say();
press("n"); say();
byId("search").focus();
byId("search").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
told.push(document.activeElement.id);
</script>
"""


def data_of(page: str) -> dict[str, Any]:
    (text,) = re.findall(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_page_has_fields_and_bytes() -> None:
    data = data_of(page_of(explore(MOSAIC)))
    assert data["format"] == "mosaic.File"
    views = data["views"]
    assert [(view["path"], view["codec"]) for view in views] == [
        ("", ""), ("buckets[0][0].data.body.slots[0].page", "zstd"), ("buckets[0][0].data.body.slots[1].page", "zstd"),
        ("schema.body", "block"),
    ]  # fmt: skip
    assert b"".join(base64.b64decode(text) for _, text in views[0]["pages"]) == MOSAIC
    assert views[3]["root"][3] == views[3]["size"] == explore(MOSAIC).find("schema.inflated").value


def test_the_page_needs_no_network() -> None:
    page = page_of(explore(MOSAIC))
    assert not re.findall(r"https?://|src=|@import|url\(", page)


def test_pages_of_large_files_say_what_they_leave_out() -> None:
    tree = explore(arrow_file(flat_table(), row_group_size=2))
    page = page_of(tree)
    assert len(page) < 20_000_000
    data = data_of(page)
    (meta,) = [each for each in data["views"][0]["root"][11] if each[0] == "meta"]
    assert meta[3] == tree.find("meta").size


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


#: A list of 20,000 elements is opened and walked by keys; told are the lines and the nodes of the document, the milliseconds
#: of a key in the middle, and what is selected at the end.
MANY = """
<script>
const press = key => document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const told = [];
open.add(page.views[0].root[CHILDREN][1]); flatten(); select(page.views[0].root[CHILDREN][1][CHILDREN][9000]);
const start = performance.now();
for (let at = 0; at < 20; at++) press("ArrowDown");
told.push(lines.length, document.querySelectorAll("*").length, (performance.now() - start) / 20, selected[NAME]);
</script>
"""

#: In a window of 400 pixels: the widths of what is seen, the bytes of a row, and whether the boxes lie below each other.
PHONE = """
<script>
const told = [], boxes = ["tree", "hex", "about"].map(id => byId(id).getBoundingClientRect());
told.push(innerWidth, document.documentElement.scrollWidth, hexBox.scrollWidth, width);
told.push(boxes.every(each => each.left === 0 && each.width <= innerWidth && each.height >= 80));
told.push(boxes[0].bottom <= boxes[1].top && boxes[1].bottom <= boxes[2].top && boxes[2].bottom <= innerHeight);
linesBox.querySelector(".node:last-child .mark").click();
told.push(selected[NAME], open.has(selected));
</script>
"""

LIST = "record R : little { u32 n = count(items); Item items[n]; } record Item { u8 k = size(name); utf8 name[k]; }"


def in_browser(tmp_path: Path, page: str, script: str, size: tuple[int, int] = (1400, 900)) -> Any:
    """Returns what a script at the end of a page told in a frame of a size; no script may fail."""
    watch = "<script>const failed = []; onerror = message => failed.push(message);</script><style>"
    tell = '<script>parent.postMessage(JSON.stringify([told, failed]), "*");</script></body>'
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
    (text,) = re.findall(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)
    told, failed = json.loads(text.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&"))
    assert failed == []
    return told


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium: apt-get install chromium")
def test_in_a_browser(tmp_path: Path) -> None:
    told = in_browser(tmp_path, page_of(explore(MOSAIC)), SCRIPT)
    size = len(MOSAIC)
    footer = list(range(size - 32, size))
    assert told[0][:3] == ["footer", 0, footer]
    assert "The last bytes of a file." in told[0][3]
    assert told[1][:3] == ["footer.magic", 0, footer[-4:]]
    assert told[1][3].endswith('rule: magic must be MAGIC, else "bad magic bytes"')
    assert told[2][0].startswith("buckets[0][0].data.body.directory.slot_sizes[0]")
    assert told[3][:3] == ["footer.num_row_groups", 0, footer[20:24]]
    assert [each[0] for each in told[4:7]] == ["footer.num_buckets", "footer", ""]
    assert told[7][:2] == ["schema.body.columns[1].name", 3]
    assert told[8][:2] == ["schema.body", 0]
    assert told[9][:2] == ["schema.body", 3]
    assert told[10][1] == 3
    assert told[10][0].startswith("schema.body.columns[1].name.")
    assert told[11] == "tree"


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium: apt-get install chromium")
def test_twenty_thousand_open_lines_answer_keys(tmp_path: Path) -> None:
    data = (20_000).to_bytes(4, "little") + b"\x02ab" * 20_000
    told = in_browser(tmp_path, page_of(explore(data, idl=LIST), None), MANY)
    assert (told[0], told[3]) == (20_003, "[9020]")
    assert told[1] < 4_000
    assert told[2] < 200


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium: apt-get install chromium")
def test_on_a_phone(tmp_path: Path) -> None:
    told = in_browser(tmp_path, page_of(explore(MOSAIC)), PHONE, (400, 800))
    assert (told[0], told[1], told[2] <= 400, told[3]) == (400, 400, True, 8)
    assert told[4:6] == [True, True]
    assert told[6:] == ["footer", True]
