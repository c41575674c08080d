// What a file has: nodes, decoded blocks ("views") with offsets of their own, and the bytes that the page holds.
// A node comes as [name, offset, size, type, value, doc, rules, error, kind, bits, children, view, more, path]; type, doc and rules are
// numbers of texts; path is null where it follows from the node above.

class Node {
  constructor(row, parent, view, texts) {
    [this.name, this.offset, this.size] = row;
    this.type = texts[row[3]]; this.value = row[4] ?? ""; this.doc = texts[row[5]]; this.rules = row[6].map(each => texts[each]);
    [, , , , , , , this.error, this.kind, this.bits, , this.view, this.more] = row;
    this.given = row[13]; this.parent = parent; this.owner = view; this.isOpen = false; this.line = -1; this.differs = false;
    this.children = row[10].map(each => new Node(each, this, view, texts));
  }
  get end() { return this.offset + this.size; }
  get path() {
    if (this.given !== null) return this.given;
    const above = this.parent ? this.parent.path : this.owner.path;
    return !this.parent ? above : !above || this.name.startsWith("[") ? above + this.name : `${above}.${this.name}`;
  }
  get title() { return this.path || this.name || this.type; }
  // What tells an element without a value of its own from the others: the first short text, tag or member below it.
  get brief() {
    if (this.value || !this.name.startsWith("[")) return "";
    for (const each of this.children.slice(0, 8)) {
      const found = /^ = (?:b?'((?:[^'\\]|\\.){1,40})'|b?"([^"\\]{1,40})"|([A-Za-z_]\w*)(?: \(\d+\))?)$/.exec(each.value);
      if (found && !/^(True|False|None|nan|inf)$/.test(found[3] ?? "")) return found[1] ?? found[2] ?? found[3];
    }
    return "";
  }
  contains(offset) { return this.offset <= offset && offset < this.end; }
  // The children that have bytes in a range, found by halving where there are many.
  within(start, end) {
    const all = this.children;
    if (all.length < 64 || this.isUnordered) return all.filter(each => each.offset < end && each.end > start);
    if (this.isUnordered === undefined) {
      this.isUnordered = all.some((each, at) => at > 0 && each.offset < all[at - 1].end);
      return this.within(start, end);
    }
    let low = 0, high = all.length;
    while (low < high) { const middle = (low + high) >> 1; if (all[middle].end > start) high = middle; else low = middle + 1; }
    const found = [];
    for (; low < all.length && all[low].offset < end; low++) found.push(all[low]);
    return found;
  }
}

function* walk(node) {
  const pending = [node];
  while (pending.length) {
    const each = pending.pop();
    yield each;
    for (let at = each.children.length - 1; at >= 0; at--) pending.push(each.children[at]);
  }
}

// A source or a decoded block.
class View {
  constructor(data, number, page) {
    this.number = number; this.path = data.path; this.codec = data.codec; this.size = data.size; this.step = page.step;
    this.pieces = new Map(data.pages.map(([start, text]) => [start, Uint8Array.from(atob(text), each => each.charCodeAt(0))]));
    this.starts = [...this.pieces.keys()].sort((a, b) => a - b);
    this.root = new Node(data.root, null, this, page.texts);
    this.root.isOpen = true;
    // Nodes that lie outside the bytes of those above them, which point to them; the smallest last.
    this.away = [...walk(this.root)].filter(each => each.parent && (each.offset < each.parent.offset || each.end > each.parent.end));
    this.away.sort((a, b) => b.size - a.size);
  }
  byte(offset) { const piece = this.pieces.get(Math.floor(offset / this.step) * this.step); return piece && piece[offset % this.step]; }
  // The bytes from an offset on, as far as the page has them.
  bytes(offset, count) {
    const found = [];
    for (let at = offset; at < Math.min(offset + count, this.size); at++) { const value = this.byte(at); if (value === undefined) break; found.push(value); }
    return Uint8Array.from(found);
  }
  // The innermost node at each offset of a range; inner nodes overwrite those around them.
  owners(start, end) {
    const found = new Array(end - start).fill(null);
    const paint = node => {
      if (node.bits) return;
      for (let at = Math.max(start, node.offset); at < Math.min(end, node.end); at++) found[at - start] = node;
      for (const each of node.within(start, end)) paint(each);
    };
    paint(this.root);
    for (const each of this.away) if (each.offset < end && each.end > start) paint(each);
    return found;
  }
  fieldAt(offset) { return this.owners(offset, offset + 1)[0] ?? this.root; }
}

class Source {
  constructor(data, page) {
    this.name = data.name; this.format = data.format;
    this.views = data.views.map((each, number) => new View(each, number, page));
    for (const view of this.views) for (const node of walk(view.root)) if (node.view !== null) this.views[node.view].holder = node;
  }
  *nodes() { for (const view of this.views) yield* walk(view.root); }
  find(path) { for (const node of this.nodes()) if (node.path === path && node.view === null) return node; return null; }
  // The nodes, or [view, offset] of the bytes, that a search finds.
  search(kind, text) {
    if (kind === "fields") {
      const wanted = text.toLowerCase();
      return [...this.nodes()].filter(each => `${each.path} ${each.type}${each.value}`.toLowerCase().includes(wanted)).map(node => ({ node }));
    }
    const wanted = kind === "hex" ? hexBytes(text) : new TextEncoder().encode(text);
    return wanted && wanted.length ? this.views.flatMap(view => matches(view, wanted).map(offset => ({ view, offset, size: wanted.length }))) : [];
  }
}

function hexBytes(text) {
  const digits = text.replace(/0x|[\s,]/gi, "");
  return /^([0-9a-f]{2})+$/i.test(digits) ? Uint8Array.from(digits.match(/../g), each => parseInt(each, 16)) : null;
}
function matches(view, wanted) {
  const found = [];
  for (const start of view.starts) {
    const piece = view.pieces.get(start);
    for (let at = piece.indexOf(wanted[0]); at >= 0; at = piece.indexOf(wanted[0], at + 1)) {
      let step = 1;
      while (step < wanted.length && view.byte(start + at + step) === wanted[step]) step++;
      if (step === wanted.length) found.push(start + at);
    }
  }
  return found;
}
