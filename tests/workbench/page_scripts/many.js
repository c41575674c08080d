// A list of many elements is opened and walked by keys and scrolled; told are the lines and the nodes of the document, the
// milliseconds of a key, of a step of scrolling and of opening, and what is selected at the end.
const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const told = [], list = active.view.root.children[1];
const timed = (count, act) => { const start = performance.now(); for (let at = 0; at < count; at++) act(at); return (performance.now() - start) / count; };
for (const each of list.children) each.isOpen = true;
active.select(list.children[9000]);
const key = timed(20, () => press("ArrowDown")), scroll = timed(20, at => { active.treeBox.scrollTop = 500000 + 1000 * at; active.drawTree(); });
told.push(active.lines.length, document.querySelectorAll("*").length, key, scroll, timed(2, () => active.toggle(list)), active.selected.name);
