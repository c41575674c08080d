// What the page says of the selection: the field in words, its first bytes as numbers of all kinds, and copies of both.

function tell(pane) {
  const { selected: node, range, view } = pane, box = byId("field");
  const isField = pane.isField(), place = `${range[0]} (0x${range[0].toString(16)})`;
  const head = isField ? `${node.title}: ${node.type}, ${node.size} bytes at ${place}${node.value}` : `${range[1] - range[0]} bytes at ${place}, in ${node.title}`;
  const texts = [[head, ""]];
  if (node.error) texts.push([`✗ ${node.error.rule}${node.error.offset === null ? "" : ` (at byte ${node.error.offset})`}`, "bad"]);
  if (node.differs) texts.push([node.differs.text, "bad"]);
  if (node.doc) texts.push([node.doc, ""]);
  for (const rule of node.rules) texts.push([`rule: ${rule}`, "faint"]);
  box.replaceChildren(...texts.map(([text, cls]) => element("p", cls, { textContent: text })));
  const buttons = element("p", "");
  for (const [name, key, title] of [["path", "c", "copy path"], ["value", "v", "copy value"], ["bytes", "x", "copy bytes"]])
    buttons.append(element("button", "", { textContent: title, title: `key ${key}`, onclick: () => copy(copied(pane, name)) }), " ");
  if (node.view !== null) {
    const inner = pane.source.views[node.view];
    buttons.append(element("button", "", { id: "decoded", textContent: `decoded by ${inner.codec}: ${inner.size} bytes »`, onclick: () => pane.show(inner) }));
  }
  box.append(buttons);
  byId("inspector").replaceChildren(...inspected(view.bytes(range[0], Math.max(16, Math.min(range[1] - range[0], 64))), range[1] - range[0]));
}

function copied(pane, what) {
  const { selected: node, range, view } = pane;
  if (what === "path") return node.title;
  if (what === "value") return node.value.replace(/^ = /, "");
  return [...view.bytes(range[0], range[1] - range[0])].map(each => each.toString(16).padStart(2, "0")).join("");
}

async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch {
    // Pages of files may not use the clipboard of some browsers.
    const box = element("textarea", "", { value: text });
    document.body.append(box); box.select(); document.execCommand("copy"); box.remove();
  }
  say(`copied ${text.length > 40 ? text.length + " characters" : text}`);
}

// Rows of a table: the bytes from the first selected one on, as numbers, little and big endian, and as text.
function inspected(bytes, selected) {
  const data = new DataView(bytes.buffer), rows = [["", "little", "big"]];
  const number = (name, size, read) => { if (bytes.length >= size) rows.push([name, String(read(true)), size > 1 ? String(read(false)) : ""]); };
  number("i8, u8", 1, () => `${data.getInt8(0)}, ${data.getUint8(0)}`);
  number("i16", 2, isLittle => data.getInt16(0, isLittle));
  number("u16", 2, isLittle => data.getUint16(0, isLittle));
  number("i32", 4, isLittle => data.getInt32(0, isLittle));
  number("u32", 4, isLittle => data.getUint32(0, isLittle));
  number("i64", 8, isLittle => data.getBigInt64(0, isLittle));
  number("u64", 8, isLittle => data.getBigUint64(0, isLittle));
  number("f16", 2, isLittle => short(half(data.getUint16(0, isLittle))));
  number("f32", 4, isLittle => short(data.getFloat32(0, isLittle)));
  number("f64", 8, isLittle => short(data.getFloat64(0, isLittle)));
  const varint = leb(bytes);
  if (varint) rows.push(["varint", String(varint[0]), `zigzag ${(varint[0] >> 1n) ^ -(varint[0] & 1n)}`]);
  if (bytes.length) rows.push(["bits", bytes[0].toString(2).padStart(8, "0"), `0x${bytes[0].toString(16).padStart(2, "0")}`]);
  const text = new TextDecoder().decode(bytes.subarray(0, Math.max(1, Math.min(selected, 24))));
  if (bytes.length) rows.push(["utf8", JSON.stringify(text), ""]);
  return rows.map(([name, ...values]) => {
    const row = element("tr", "");
    row.append(element("th", "", { textContent: name }), ...values.map(each => element("td", "", { textContent: each, title: each })));
    return row;
  });
}
function leb(bytes) {
  let value = 0n;
  for (let at = 0; at < Math.min(bytes.length, 10); at++) {
    value |= BigInt(bytes[at] & 127) << BigInt(7 * at);
    if (bytes[at] < 128) return [value, at + 1];
  }
  return null;
}
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
}
function short(value) { return Number.isFinite(value) ? String(Number(value.toPrecision(8))) : String(value); }
