// In a window of 400 pixels: the widths of what is seen, the bytes of a row, and whether the boxes lie below each other.
const told = [], boxes = [active.treeBox, active.hexBox, byId("about")].map(each => each.getBoundingClientRect());
told.push(innerWidth, document.documentElement.scrollWidth, active.hexBox.scrollWidth, active.width);
told.push(boxes.every(each => each.left === 0 && each.width <= innerWidth && each.height >= 80));
told.push(boxes[0].bottom <= boxes[1].top && boxes[1].bottom <= boxes[2].top && boxes[2].bottom <= innerHeight);
active.linesBox.querySelector(".node:last-child .mark").click();
told.push(active.selected.name, active.selected.isOpen);
