// What a person does: clicks a field and a byte, opens a decoded block, uses the keyboard, searches. Each step tells what is
// selected, which bytes are marked and what the page says of it.
const told = [], marked = () => [...new Set([...document.querySelectorAll(".row i.on, .row i.in")].map(each => Number(each.dataset.offset)))];
const say_ = () => told.push([active.selected.path, active.view.number, marked(), byId("about").textContent]);
const press = (key, target = document.body) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const line = path => {
  const node = active.lines.find(each => each.path === path);
  reveal(active.treeBox, node.line); active.drawTree();
  return active.linesBox.querySelector(`.node[data-line="${node.line}"]`);
};
const byte = offset => active.rowsBox.querySelector(`i[data-offset="${offset}"]`);
line("footer").click(); say_();
line("footer").click(); line("footer.magic").click(); say_();
byte(0).click(); say_();
active.hexBox.scrollTop = active.rows.length * HEIGHT; active.drawHex();
const size = active.view.size;
byte(size - 9).click(); say_();
press("ArrowUp"); say_(); press("ArrowLeft"); say_(); press("ArrowLeft"); press("ArrowLeft"); say_();
byId("search").value = "columns[1].name"; byId("finder").requestSubmit(); say_();
press("Escape"); say_(); press("Enter"); say_();
press("n"); say_();
byId("search").focus(); press("Escape", byId("search"));
told.push(document.activeElement.className);
