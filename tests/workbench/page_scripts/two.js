// Two files: which nodes are marked in both, what the keys lead to.
const told = [], press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const say_ = () => told.push([panes.map(each => each.selected.path), byId("hits").textContent]);
say_(); press("d"); say_(); press("D"); say_();
told.push(panes.map(each => each.linesBox.querySelectorAll(".differs").length), panes.map(each => each.box.getBoundingClientRect().left));
