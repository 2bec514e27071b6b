// Search over functions, passes, the source, remarks, and every line that a function ever had.
const EACH = 12;
let found = [];
let foundAt = 0;
let foundFor = "";
let owners = null;

// For each line of the recording a function and the row that it came in.
function lineOwners() {
  if (owners) return owners;
  owners = new Array(data.lines.length);
  for (const fn of functions) for (const cell of fn.cells) for (const [, , added] of cell[CELL.edits] || []) for (const id of added) owners[id] ??= [fn.index, cell[CELL.row]];
  return owners;
}

function search(text) {
  const pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
  const has = (line) => pattern.test(line);
  const groups = [];
  const group = (title, items) => { if (items.length) groups.push([title, items]); };
  const some = (list, test, item) => {
    const items = [];
    for (let at = 0; at < list.length && items.length < EACH; at++) if (test(list[at], at)) items.push(item(list[at], at));
    return items;
  };
  const name = /^[%^][\w.$-]+$/.test(text) ? text : null;
  if (name) {
    const fn = functions[state.fn];
    if (lifeOf(fn, name).length) group("Follow", [{ where: fn.name, text: name, go: () => { if (state.follow?.name !== name) follow(name, "ir"); } }]);
  }
  group("Functions", some(functions, (fn) => has(fn.name), (fn) => ({ where: fn.kernel ? "kernel" : "function", text: fn.name, go: () => select(fn.index, state.row) })));
  group("Passes", some(data.rows, (row) => has(row[1]), (row, at) => ({ where: changedRows(functions[state.fn]).includes(at) ? "changed it" : "", text: row[1], go: () => select(state.fn, at, "change") })));
  data.sources.forEach((lines, file) => group(fileName(file), some(lines, (line) => has(line), (line, at) => ({ where: String(at + 1), text: line.trim(), go: () => showLine(file, at + 1) }))));
  const by = lineOwners();
  const here = [], there = [];
  for (let id = 0; id < data.lines.length && here.length < EACH; id++) {
    if (!by[id] || !has(data.lines[id])) continue;
    const [fn, row] = by[id];
    const item = { where: `${functions[fn].name}, ${data.rows[row][0]}`, text: data.lines[id].trim(), go: () => { select(fn, row, "change"); revealChanged(id); } };
    if (fn === state.fn) here.push(item); else if (there.length < EACH) there.push(item);
  }
  group("Lines of this function", here);
  group("Lines of other functions", there);
  group("PTX", some(data.ptx, (line) => has(line), (line, at) => ({ where: String(at + 1), text: line.trim(), go: () => { const fn = functions.find((one) => one.ptx[0] <= at && at < one.ptx[1]); if (fn) state.fn = fn.index; showPtx(at); } })));
  group("Remarks", some(data.remarks, (one) => has(one[4]) || has(one[1]), (one) => ({ where: one[1], text: one[4], go: () => (one[6] ? showLine(one[5], one[6]) : show("remarks")) })));
  return groups;
}

function revealChanged(id) {
  const at = changeRows.findIndex((row) => row.id === id);
  if (at >= 0) { changeList.reveal(at, true); changeList.drawn.get(at)?.classList.add("target"); }
}

function drawResults() {
  const text = byId("search").value.trim();
  const box = byId("results");
  box.hidden = !text;
  foundFor = text;
  found = [];
  if (!text) return;
  const groups = search(text);
  foundAt = 0;
  box.replaceChildren(...groups.flatMap(([title, items]) => [make("h3", {}, title), ...items.map((item) => {
    found.push(item);
    const index = found.length - 1;
    item.button = make("button", { role: "option", class: index === 0 ? "at" : "", onclick: () => take(index) }, make("span", { class: "where" }, item.where), make("code", {}, item.text));
    return item.button;
  })]));
  if (!found.length) box.append(make("div", { class: "empty" }, "Nothing has that in it."));
}

function take(index) {
  byId("results").hidden = true;
  byId("search").blur();
  found[index]?.go();
}

function setUpSearch() {
  const input = byId("search");
  let waiting = 0;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(drawResults, data.lines.length > 50000 ? 250 : 60); });
  input.addEventListener("focus", () => { if (input.value) drawResults(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { clearTimeout(waiting); if (byId("results").hidden || input.value.trim() !== foundFor) drawResults(); take(foundAt); event.preventDefault(); }
    if (event.key === "Escape") { byId("results").hidden = true; input.blur(); }
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by && found.length) {
      found[foundAt].button.classList.remove("at");
      foundAt = (foundAt + by + found.length) % found.length;
      found[foundAt].button.classList.add("at");
      found[foundAt].button.scrollIntoView({ block: "nearest" });
      event.preventDefault();
    }
  });
  document.addEventListener("click", (event) => { if (!byId("searchbox").contains(event.target)) byId("results").hidden = true; });
}
