// Beside the page: which file and which IDL, the IDL's text, and what the compiler says of it. Every change draws the page anew.
const bench = { files: [], timer: 0, asked: 0 };

async function ask(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "X-Lakecodec-Token": served.token, "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
}
function chooser(id, label) {
  const line = element("label", "", { textContent: label });
  bench[id] = element("select", "", { id });
  line.append(bench[id]);
  return line;
}
function choices(box, names, kept) { box.replaceChildren(...names.map(name => new Option(name || "(by its magic bytes)", name))); box.value = names.includes(kept) ? kept : names[0] ?? ""; }

function openBench() {
  const box = element("aside", "", { id: "bench" });
  bench.text = element("textarea", "", { id: "idl-text", spellcheck: false, wrap: "off", ariaLabel: "IDL" });
  bench.messages = element("div", "", { id: "messages", role: "status" });
  bench.save = element("button", "", { id: "save", textContent: "save the IDL", onclick: save });
  box.append(chooser("file", "file "), chooser("idl", "IDL "), chooser("type", "type "), bench.text, bench.messages, bench.save);
  document.body.prepend(box); document.body.classList.add("with-bench");
  bench.file.onchange = bench.type.onchange = () => draw(false);
  bench.idl.onchange = load;
  bench.text.oninput = () => { clearTimeout(bench.timer); bench.timer = setTimeout(() => draw(true), 250); };
  refresh();
}
async function refresh() {
  const found = await ask("files", {});
  choices(bench.file, found.files, bench.file.value); choices(bench.idl, ["", ...found.idls], bench.idl.value || served.idl);
  await load();
}
async function load() {
  bench.text.disabled = bench.save.disabled = !bench.idl.value;
  bench.text.value = bench.idl.value ? (await ask("idl", { file: bench.idl.value })).text ?? "" : "";
  await draw(false);
}
// Draws the file as the IDL in the box reads it; fields that were open stay open.
async function draw(isTyping) {
  const number = ++bench.asked, open = panes.length ? [...panes[0].source.nodes()].filter(each => each.isOpen).map(each => each.path) : [], chosen = active?.selected?.path;
  const found = await ask("tree", { file: bench.file.value, idl: bench.idl.value, text: bench.idl.value ? bench.text.value : "", type: bench.type.value });
  if (number !== bench.asked) return;
  choices(bench.type, ["", ...(found.types ?? [])], bench.type.value);
  bench.messages.replaceChildren(...(found.messages ?? []).map(told));
  if (!found.page) return;
  start(found.page);
  const kept = new Set(open);
  if (isTyping || kept.size) for (const node of panes[0].source.nodes()) if (kept.has(node.path)) node.isOpen = true;
  panes[0].flatten(); panes[0].select(panes[0].source.find(chosen) ?? panes[0].selected);
}
function told(message) {
  const line = element("button", message.isError ? "bad" : "", { textContent: message.line ? `${message.line}:${message.column} ${message.text}` : message.text });
  line.onclick = () => {
    const before = bench.text.value.split("\n").slice(0, (message.line ?? 1) - 1).join("\n").length + (message.line > 1 ? 1 : 0) + (message.column ?? 1) - 1;
    bench.text.focus(); bench.text.setSelectionRange(before, before + (message.length ?? 0));
  };
  return line;
}
async function save() {
  const found = await ask("save", { file: bench.idl.value, text: bench.text.value });
  bench.messages.replaceChildren(...(found.messages ?? []).map(told));
}
