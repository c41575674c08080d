// The page: its panes, search, bookmarks, differences and keys.
let page, panes = [], active = null, hits = [], hit = -1, asked = "";
const byId = id => document.getElementById(id);
const isNarrow = matchMedia("(max-width: 60rem)");
const isStacked = () => panes.length > 1 || isNarrow.matches;

function start(data) {
  page = data; hits = []; hit = -1; asked = "";
  document.body.classList.toggle("narrow", isNarrow.matches);
  byId("panes").classList.toggle("several", data.files.length > 1);
  byId("panes").replaceChildren();
  byId("title").textContent = data.title;
  panes = data.files.map(each => new Pane(new Source(each, data), byId("panes")));
  bookmarks.load();
  for (const each of panes) each.show(each.source.views[0]);
  differences.start(data.differences ?? []);
  activate(panes[0]);
  const [first] = panes, wrong = [...first.source.nodes()].filter(each => each.error && each.owner === first.view).pop();
  if (differences.all.length) differences.next(1); else first.select(wrong ?? first.view.root);
}
function activate(pane) {
  if (active === pane) return;
  active = pane;
  for (const each of panes) each.box.classList.toggle("active", each === pane);
  if (pane.selected) tell(pane);
}
function say(text) { byId("hits").textContent = text; }

// ---- search ----

function search() {
  const text = byId("search").value, kind = byId("sought").value, wanted = `${panes.indexOf(active)} ${kind} ${text}`;
  if (wanted !== asked) { asked = wanted; hit = -1; hits = text ? active.source.search(kind, text) : []; }
  next(1);
}
function next(step) {
  if (!hits.length) return say(byId("search").value ? "nothing" : "");
  hit = (hit + step + hits.length) % hits.length;
  const found = hits[hit];
  if (found.node) active.select(found.node); else {
    if (found.view !== active.view) active.show(found.view);
    active.select(found.view.fieldAt(found.offset), [found.offset, found.offset + found.size]);
  }
  say(`${hit + 1} of ${hits.length}`);
}
function go(text) {
  const found = /^\s*([+-]?)\s*(0x[0-9a-f]+|\d+)\s*$/i.exec(text);
  if (!found) { const node = active.source.find(text.trim()); return node ? active.select(node) : say("an offset is 64, 0x40, +8, -8, or a path"); }
  const offset = Number(found[2]) * (found[1] === "-" ? -1 : 1) + (found[1] ? active.range[0] : 0);
  if (offset < 0 || offset >= active.view.size) return say(`there are ${active.view.size} bytes`);
  active.go(offset);
}

// ---- bookmarks: kept in the browser for the title of the page ----

const bookmarks = {
  all: [],
  key: () => `lakecodec ${page.title}`,
  load() { try { this.all = JSON.parse(localStorage.getItem(this.key())) ?? []; } catch { this.all = []; } },
  keep() { try { localStorage.setItem(this.key(), JSON.stringify(this.all)); } catch { /* kept as long as the page is open */ } },
  has(pane, node) { return this.all.length > 0 && this.all.some(each => each.pane === panes.indexOf(pane) && each.path === node.path); },
  toggle(pane) {
    const mark = { pane: panes.indexOf(pane), path: pane.selected.path, title: pane.selected.title };
    const kept = this.all.filter(each => each.pane !== mark.pane || each.path !== mark.path);
    this.all = kept.length < this.all.length ? kept : [...kept, mark];
    this.keep(); pane.drawTree();
    say(`${this.all.length} bookmarks`);
  },
  show() {
    const open = each => { const pane = panes[each.pane], node = pane?.source.find(each.path); close(); if (node) pane.select(node); };
    const buttons = this.all.map(each => element("button", "", { textContent: `★ ${each.title}`, onclick: () => open(each) }));
    sheet("marks", buttons.length ? buttons : [element("p", "", { textContent: "none: the key b sets one at the selected field" })]);
  },
};

// ---- differences of two files ----

const differences = {
  all: [], at: -1,
  start(found) {
    this.at = -1;
    this.all = found.map(each => ({ ...each, nodes: each.paths.map((path, number) => path === null ? null : panes[number].source.find(path)) }));
    for (const each of this.all) for (const node of each.nodes) if (node) for (let up = node; up; up = up.parent ?? up.owner.holder) up.differs ||= each;
    for (const pane of this.all.length ? panes : []) { pane.drawTree(); pane.drawHex(); }
  },
  next(step) {
    if (!this.all.length) return say("no differences");
    this.at = (this.at + step + this.all.length) % this.all.length;
    const found = this.all[this.at], shown = active;
    found.nodes.forEach((node, number) => { if (node) panes[number].select(node); });
    activate(found.nodes[panes.indexOf(shown)] ? shown : panes[found.nodes.findIndex(Boolean)] ?? shown);
    say(`difference ${this.at + 1} of ${this.all.length}: ${found.text}`);
  },
};

// ---- sheets, keys ----

function sheet(opener, children) {
  const box = byId("sheet");
  box.replaceChildren(...children); box.hidden = false; box.dataset.opener = opener;
  byId(opener).ariaExpanded = true;
  (box.querySelector("button") ?? box).focus();
}
function close() {
  const box = byId("sheet");
  if (box.hidden) return false;
  box.hidden = true; byId(box.dataset.opener).ariaExpanded = false; active.treeBox.focus();
  return true;
}
const KEYS = [
  ["↑ ↓ ← →", "fields; in the bytes: bytes"], ["Page Up, Page Down, Home, End", "fields far away"], ["Enter", "the decoded form of a block"], ["Esc", "back: from a box, a sheet, a decoded block"],
  ["/", "search"], ["n, N", "next, last hit"], ["g", "go to an offset"], ["b", "set or remove a bookmark"], ["B", "bookmarks"], ["c, v, x", "copy path, value, bytes"],
  ["d, D", "next, last difference"], ["Tab", "the other boxes; the arrows move the splitter"], ["?", "this list"],
];
function showKeys() {
  const table = element("table", "");
  for (const [keys, text] of KEYS) { const row = table.insertRow(); row.insertCell().textContent = keys; row.insertCell().textContent = text; }
  sheet("keys", [table]);
}
function fieldKey(key) {
  const pane = active, node = pane.selected, lines = pane.lines, at = node.line, many = Math.max(1, Math.floor(pane.treeBox.clientHeight / HEIGHT) - 2);
  const to = number => pane.select(lines[Math.max(0, Math.min(lines.length - 1, number))]);
  const isOpen = node.isOpen && node.children.length > 0;
  switch (key) {
    case "ArrowDown": return to(at + 1);
    case "ArrowUp": return to(at - 1);
    case "PageDown": return to(at + many);
    case "PageUp": return to(at - many);
    case "Home": return to(0);
    case "End": return to(lines.length - 1);
    case "ArrowRight": if (!node.children.length) return; if (!isOpen) pane.toggle(node); return pane.select(node.children[0]);
    case "ArrowLeft": if (isOpen) { pane.toggle(node); return pane.select(node); } return node.parent && pane.select(node.parent);
    case "Enter": return node.view !== null && pane.show(pane.source.views[node.view]);
  }
}
const STEPS = pane => ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -pane.width, ArrowDown: pane.width });
function splitKey(key) {
  const box = active.splitter.getBoundingClientRect(), step = { ArrowLeft: -24, ArrowRight: 24, ArrowUp: -24, ArrowDown: 24 }[key];
  if (step) active.split(box.right + step, box.bottom + step);
}
const COMMANDS = {
  "/": () => byId("search").focus(), g: () => byId("offset").focus(), n: () => next(1), N: () => next(-1), b: () => bookmarks.toggle(active), B: () => bookmarks.show(),
  c: () => copy(copied(active, "path")), v: () => copy(copied(active, "value")), x: () => copy(copied(active, "bytes")),
  d: () => differences.next(1), D: () => differences.next(-1), "?": showKeys,
};
const MOVES = new Set(["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End", "Enter"]);
function pressed(event) {
  if (!active || event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, target } = event, isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (key === "Escape") { if (!close() && isTyping) active.treeBox.focus(); else if (!isTyping && byId("sheet").hidden) active.leave(); return; }
  if (isTyping || (target.tagName === "BUTTON" && (key === "Enter" || key === " "))) return;
  if (COMMANDS[key]) { event.preventDefault(); return COMMANDS[key](); }
  if (!MOVES.has(key)) return;
  event.preventDefault();
  if (target === active.splitter) splitKey(key);
  else if (target === active.hexBox && STEPS(active)[key]) active.move(STEPS(active)[key]);
  else fieldKey(key);
}
document.addEventListener("keydown", pressed);
document.addEventListener("click", event => { if (!event.target.closest("#sheet, #marks, #keys")) close(); });
byId("finder").onsubmit = event => { event.preventDefault(); search(); active.treeBox.focus(); };
byId("goer").onsubmit = event => { event.preventDefault(); go(byId("offset").value); active.hexBox.focus(); };
byId("sought").onchange = () => { byId("search").placeholder = { fields: "path, type or value", text: "text in the bytes", hex: "89 50 4e 47" }[byId("sought").value]; };
byId("marks").onclick = () => close() || bookmarks.show();
byId("keys").onclick = () => close() || showKeys();
window.onresize = () => { document.body.classList.toggle("narrow", isNarrow.matches); for (const each of panes) each.resize(); };
