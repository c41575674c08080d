"""Layout diagrams in SVG: fields as boxes, as wide as their bytes; alternatives by their tags; places with arrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ...generator.lower import nodes
from ...generator.lower.field_layout import FieldLayout
from ...generator.lower.record_layout import RecordLayout, VariantLayout

_WIDTH = 860
_BYTE, _LETTER = 26, 7.2
_HEIGHT, _RULER, _GAP = 46, 16, 10
_LEFT = 132


@dataclass(frozen=True, slots=True)
class Box:
    """A field in a diagram.

    Attributes:
        size: its bytes, None where that varies.
        classes: of the box: optional, list, derived.
    """

    name: str
    type: str
    size: int | None
    classes: tuple[str, ...]

    @property
    def width(self) -> float:
        text = max(len(self.name), len(self.type)) * _LETTER + 16
        return max(text, (self.size or 0) * _BYTE if self.size is None or self.size <= 16 else 16 * _BYTE)


def box_of(field: FieldLayout) -> Box:
    """Returns the box of a field."""
    classes = []
    if field.presence is not None:
        classes.append("optional")
    if field.dimension is not None:
        classes.append("list")
    if field.derivation is not None:
        classes.append("derived")
    if field.fixed is None:
        classes.append("varies")
    return Box(field.name, field.text, field.fixed if field.presence is None else None, tuple(classes))


def record_diagram(layout: RecordLayout) -> str:
    """Returns the diagram of a record: its fields in rows, with offsets while they are known."""
    if layout.located:
        return _placed_diagram(layout)
    boxes = [box_of(each) for each in layout.fields]
    return _svg(f"Layout of {layout.spec_name}: {_words(boxes)}", *_rows(boxes, 0, _WIDTH)) if boxes else ""


def variant_diagram(layout: VariantLayout, tags: Sequence[str]) -> str:
    """Returns the diagram of a variant: one row of fields per alternative, behind its tag."""
    parts: list[str] = []
    top = 4.0
    begins: list[float] = []
    for each, tag in zip(layout.alternatives, tags, strict=True):
        boxes = [box_of(field) for field in each.record.fields]
        inner, height = _rows(boxes, _LEFT + 130, _WIDTH, top, offset=False) if boxes else ([], _RULER + _HEIGHT / 2)
        middle = top + (height + _RULER) / 2 if boxes else top + 20
        begins.append(middle)
        parts.append(
            f'<text class="tag" x="{_LEFT - 14}" y="{middle + 4}" text-anchor="end">{escape(_cut(tag, 15))}</text>'
        )
        parts.append(f'<text class="name" x="{_LEFT + 8}" y="{middle + 4}">{escape(_cut(each.name, 17))}</text>')
        parts += inner
        top += height + _GAP
    lines = [f'<path class="line" d="M {_LEFT - 8} {y} h 10" />' for y in begins]
    if begins:
        lines.append(f'<path class="line" d="M {_LEFT - 8} {begins[0]} V {begins[-1]}" />')
    names = ", ".join(f"{tag}: {each.name}" for each, tag in zip(layout.alternatives, tags, strict=True))
    return _svg(f"Alternatives of {layout.spec_name} by tag: {names}", [*lines, *parts], top)


def _placed_diagram(layout: RecordLayout) -> str:
    """Returns the diagram of placed fields, with arrows from the fields that hold their offsets."""
    parts: list[str] = []
    middles: dict[str, float] = {}
    for number, each in enumerate(layout.fields):
        top = 6 + number * (_HEIGHT + _GAP)
        middles[each.name] = top + _HEIGHT / 2
        parts += _box(box_of(each), 20, top, 320)
    # Some placed fields follow the field above them.
    placed = [(number, each, each.place) for number, each in enumerate(layout.fields) if each.place is not None]
    leads = [(number, name, each.name) for number, each, at in placed for name in dict.fromkeys(nodes.field_names(at))]
    for number, name, to in leads:
        start, end, bend = middles[name], middles[to], 380 + 26 * number
        parts.append(
            f'<path class="arrow" d="M 340 {start} C {bend} {start} {bend} {end} 348 {end}" marker-end="url(#head)" />'
        )
    arrows = ", ".join(f"{name} tells where {to} is" for _, name, to in leads)
    height = 12 + len(layout.fields) * (_HEIGHT + _GAP)
    title = f"Parts of {layout.spec_name}: {_words([box_of(each) for each in layout.fields])}. {arrows}"
    return _svg(title, [_HEAD, *parts], height, 520)


_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path class="head" d="M 0 0 L 8 4 L 0 8 z" /></marker></defs>'
)


def _rows(
    boxes: Sequence[Box], left: float, right: float, top: float = 4, *, offset: bool = True
) -> tuple[list[str], float]:
    """Returns boxes in as many rows as they need, and their total height. Fixed offsets are above the boxes."""
    parts: list[str] = []
    x, y = left, top
    known: int | None = 0
    for box in boxes:
        if x > left and x + box.width > right:
            x, y = left, y + _RULER + _HEIGHT + 6
        if offset and known is not None:
            parts.append(f'<text class="offset" x="{x + 2}" y="{y + 11}">{known}</text>')
        parts += _box(box, x, y + _RULER, min(box.width, right - left))
        x += box.width
        known = None if known is None or box.size is None else known + box.size
    return parts, y - top + _RULER + _HEIGHT + 4


def _box(box: Box, x: float, y: float, width: float) -> Iterator[str]:
    classes = " ".join(("box", *box.classes))
    middle = x + width / 2
    most = max(3, int((width - 6) / _LETTER))
    if "list" in box.classes:
        yield f'<rect class="{classes} behind" x="{x + 3}" y="{y - 3}" width="{width - 3}" height="{_HEIGHT}" />'
    yield f'<rect class="{classes}" x="{x}" y="{y}" width="{width - 3}" height="{_HEIGHT}" />'
    yield f'<text class="name" x="{middle}" y="{y + 19}" text-anchor="middle">{escape(_cut(box.name, most))}</text>'
    yield f'<text class="type" x="{middle}" y="{y + 36}" text-anchor="middle">{escape(_cut(box.type, most))}</text>'


def _words(boxes: Sequence[Box]) -> str:
    sizes = (f"{each.size} bytes" if each.size is not None else "of varying size" for each in boxes)
    return ", ".join(f"{each.name} ({size})" for each, size in zip(boxes, sizes, strict=True))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _svg(title: str, parts: Sequence[str], height: float, width: float = _WIDTH) -> str:
    size = f'viewBox="0 0 {width} {height + 6}" width="{width}" height="{height + 6}"'
    head = f'<svg role="img" {size}><title>{escape(title)}</title>'
    return "".join([head, *parts, "</svg>"])
