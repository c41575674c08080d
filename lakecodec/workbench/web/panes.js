// The boxes of one source: the tree of fields and the bytes. Of both, only the lines in sight are in the document.
const HEIGHT = 18;
const ESCAPES = { 38: "&amp;", 60: "&lt;", 62: "&gt;" };

class Pane {
  constructor(source, place) {
    this.source = source; this.width = 16;
    this.box = element("section", "pane"); this.placeBox = element("div", "place");
    this.treeBox = element("div", "tree", { tabIndex: 0, role: "tree", ariaLabel: `fields of ${source.name}` }); this.linesBox = element("div", "lines");
    this.hexBox = element("div", "hex", { tabIndex: 0, ariaLabel: `bytes of ${source.name}` }); this.rowsBox = element("div", "rows");
    this.splitter = element("div", "splitter", { tabIndex: 0, role: "separator", ariaLabel: "between fields and bytes" });
    this.treeBox.append(this.linesBox); this.hexBox.append(this.rowsBox);
    this.box.append(this.placeBox, this.treeBox, this.splitter, this.hexBox); place.append(this.box);
    this.treeBox.onscroll = () => this.drawTree(); this.hexBox.onscroll = () => this.drawHex();
    this.linesBox.onclick = event => this.clickedLine(event); this.rowsBox.onclick = event => this.clickedByte(event);
    this.box.addEventListener("focusin", () => activate(this));
    this.splitter.onpointerdown = event => this.drag(event);
  }
  show(view, node) {
    this.view = view; this.selected = null; this.range = null;
    const source = this.source, kept = view.holder ? `${view.path}, decoded by ${view.codec}` : `${source.format}`;
    this.placeBox.textContent = `${page.files.length > 1 ? source.name + ": " : ""}${kept}, ${view.size} bytes`;
    if (view.holder) {
      const back = element("button", "", { textContent: "‹ back", onclick: () => this.leave() });
      this.placeBox.prepend(back, " ");
    }
    this.flatten(); this.divide();
    this.hexBox.scrollTop = 0;
    this.select(node ?? view.root);
  }
  leave() { if (this.view.holder) this.show(this.view.holder.owner, this.view.holder); return Boolean(this.view.holder); }

  // ---- the tree ----

  flatten() {
    for (const each of this.lines ?? []) each.line = -1;
    this.lines = [];
    const pending = [this.view.root];
    this.view.root.level = 0;
    while (pending.length) {
      const node = pending.pop();
      node.line = this.lines.length; this.lines.push(node);
      if (node.isOpen) for (let at = node.children.length - 1; at >= 0; at--) { node.children[at].level = node.level + 1; pending.push(node.children[at]); }
    }
    this.linesBox.style.height = this.lines.length * HEIGHT + "px";
  }
  drawTree() {
    const [first, last] = sight(this.treeBox, this.lines.length);
    this.linesBox.replaceChildren(...this.lines.slice(first, last).map(node => this.line(node)));
  }
  line(node) {
    const has = node.children.length > 0, isOn = node === this.selected;
    const line = element("div", `node ${node.kind}${node.error ? " bad" : ""}${node.differs ? " differs" : ""}${isOn ? " on" : ""}`, { role: "treeitem" });
    line.style.top = node.line * HEIGHT + "px"; line.dataset.line = node.line;
    line.ariaLevel = node.level + 1; line.ariaSelected = isOn;
    if (has) line.ariaExpanded = node.isOpen;
    const bits = node.bits ? ` bits ${node.bits[0]}..${node.bits[0] + node.bits[1] - 1}` : "";
    const parts = [
      ["mark", "  ".repeat(node.level) + (has ? (node.isOpen ? "▾ " : "▸ ") : "  ")], ["name", node.name || node.type], ["type", node.name ? ` ${node.type}` : ""],
      ["brief", node.brief && ` ${node.brief}`], ["value", node.value + bits], ["", node.view === null ? "" : ` » ${this.source.views[node.view].codec}`],
      ["more", node.more === 0 ? "" : ` … ${node.more ?? "parts"}${node.more ? " more" : ""} are not in this page`], ["bad", node.error ? ` ✗ ${node.error.rule}` : ""],
      ["bookmark", bookmarks.has(this, node) ? " ★" : ""],
    ];
    for (const [name, text] of parts) if (text) line.append(element("span", name, { textContent: text }));
    return line;
  }
  clickedLine(event) {
    const line = event.target.closest(".node");
    if (!line) return;
    const node = this.lines[line.dataset.line];
    if (event.detail > 1 && node.view !== null) return this.show(this.source.views[node.view]);
    if (node === this.selected || event.target.className === "mark") this.toggle(node);
    this.select(node);
  }
  toggle(node) { node.isOpen = !node.isOpen; this.flatten(); }
  select(node, range) {
    if (node.owner !== this.view) return this.show(node.owner, node);
    this.selected = node; this.range = range ?? [node.offset, node.end];
    let opened = false;
    for (let each = node.parent; each; each = each.parent) if (!each.isOpen) each.isOpen = opened = true;
    if (opened || node.line < 0) this.flatten();
    reveal(this.treeBox, node.line); reveal(this.hexBox, this.rowOf(this.range[0]));
    this.drawTree(); this.drawHex(); activate(this); tell(this);
  }

  // ---- the bytes ----

  // Rows: the offset of the first byte, or [start, end] of bytes that the page does not have.
  divide() {
    const { view } = this;
    this.width = this.hexBox.clientWidth < 560 ? 8 : 16; this.rows = [];
    let last = 0;
    for (const start of view.starts) {
      if (start > last) this.rows.push([last, start]);
      last = Math.min(start + view.step, view.size);
      for (let at = start; at < last; at += this.width) this.rows.push(at);
    }
    if (last < view.size) this.rows.push([last, view.size]);
    this.rowsBox.style.height = this.rows.length * HEIGHT + "px";
  }
  rowOf(offset) {
    let low = 0, high = this.rows.length;
    while (high - low > 1) { const middle = (low + high) >> 1; if ((this.rows[middle][0] ?? this.rows[middle]) <= offset) low = middle; else high = middle; }
    return low;
  }
  // As text, which browsers make into a document several times as fast as nodes one by one.
  drawHex() {
    const [first, last] = sight(this.hexBox, this.rows.length);
    this.rowsBox.innerHTML = this.rows.slice(first, last).map((row, at) => this.row(row, first + at)).join("");
  }
  row(start, number) {
    const around = inner => `<div class="row" style="top:${number * HEIGHT}px">${inner}</div>`;
    if (typeof start !== "number") return around(`<span class="faint">${start[1] - start[0]} bytes are not in this page</span>`);
    const { view, width } = this, end = Math.min(start + width, view.size), owners = view.owners(start, end);
    let digits = "", texts = "";
    for (let step = 0; step < width; step++) {
      const offset = start + step, value = offset < end ? view.byte(offset) : undefined, owner = owners[step], space = step === 7 && width > 8 ? "  " : " ";
      if (value === undefined) { digits += "  " + space; continue; }
      const isOn = this.range && offset >= this.range[0] && offset < this.range[1];
      const mark = !isOn || this.isWhole() ? "" : this.isField() && this.selected.children.length ? " in" : " on";
      const cls = `${owner && owner.parent ? `c${colourOf(owner)}` : ""}${mark}${owner && owner.differs ? " differs" : ""}`;
      const cell = text => `<i class="${cls}" data-offset="${offset}">${text}</i>`;
      digits += cell(value.toString(16).padStart(2, "0")) + space;
      texts += cell(value > 31 && value < 127 ? ESCAPES[value] ?? String.fromCharCode(value) : "·");
    }
    return around(`<span class="faint">${start.toString(16).padStart(8, "0")}  </span>${digits} ${texts}`);
  }
  // Whether the selection is all bytes, and whether it is one field's: the fields in it keep their colours.
  isWhole() { return this.range[0] === 0 && this.range[1] === this.view.size && this.view.root.children.length > 0; }
  isField() { return this.range[0] === this.selected.offset && this.range[1] === this.selected.end; }
  clickedByte(event) {
    const cell = event.target.closest("i");
    if (!cell) return;
    const offset = Number(cell.dataset.offset);
    // With the shift key, the bytes from the first selected one to this one.
    if (event.shiftKey && this.range) return this.select(this.selected, [Math.min(this.range[0], offset), Math.max(this.range[0], offset) + 1]);
    this.select(this.view.fieldAt(offset));
  }
  go(offset) { this.select(this.view.fieldAt(offset), [offset, offset + 1]); }
  move(step) { this.go(Math.max(0, Math.min(this.view.size - 1, this.range[0] + step))); }

  // ---- the splitter ----

  drag(event) {
    this.splitter.setPointerCapture(event.pointerId);
    this.splitter.onpointermove = move => this.split(move.clientX, move.clientY);
    this.splitter.onpointerup = () => { this.splitter.onpointermove = null; };
  }
  split(x, y) {
    const box = this.box.getBoundingClientRect();
    const [name, room, size] = isStacked() ? ["--hex-rows", box.height, box.bottom - y] : ["--hex", box.width, box.right - x];
    for (const pane of panes) { pane.box.style.setProperty(name, Math.max(80, Math.min(room - 120, size)) + "px"); pane.resize(); }
  }
  resize() { this.divide(); this.drawTree(); this.drawHex(); }
}

function element(tag, cls, values = {}) { const made = document.createElement(tag); made.className = cls; return Object.assign(made, values); }
// The numbers of the lines or rows of a box that are in sight, and some around them.
function sight(box, count) {
  const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - 5);
  return [first, Math.min(count, first + Math.ceil(box.clientHeight / HEIGHT) + 10)];
}
function reveal(box, number) {
  if (number * HEIGHT < box.scrollTop || (number + 2) * HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, (number - 3) * HEIGHT);
}
// Fields beside each other have other colours: by the place of a field among its neighbours, and by its level.
function colourOf(node) {
  if (node.colour === undefined) node.parent.children.forEach((each, at) => { each.colour = (at + (node.level ?? depth(node))) % 6; });
  return node.colour ?? 0;
}
function depth(node) { let found = 0; for (let each = node.parent; each; each = each.parent) found++; return found; }
