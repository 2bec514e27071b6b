// Source, IR, PTX and machine code side by side; what comes from one line of the source is lit together.
let columns = [];

const TITLES = { source: "Source", ir: "IR", ptx: "PTX", sass: "Machine code" };

function drawCode(view) {
  const fn = functions[state.fn];
  const boxes = make("div", { class: "columns" });
  view.replaceChildren(boxes);
  columns = [sourceColumn(fn), irColumn(fn), ptxColumn(fn), machineColumn(fn)];
  for (const column of columns) {
    const box = make("div", { class: "code", tabIndex: 0, "aria-label": TITLES[column.kind] });
    boxes.append(make("div", { "data-column": column.kind }, make("div", { class: "head" }, TITLES[column.kind], ...column.head), box));
    if (!column.count) {
      box.classList.add("list");
      box.append(make("div", { class: "empty" }, column.missing));
      continue;
    }
    column.list = new List(box, 18, (index) => drawCodeRow(column, index));
    column.list.show(column.count);
    box.addEventListener("mouseover", (event) => light(column, event));
    box.addEventListener("mouseleave", () => lightLine(null, null));
    box.addEventListener("click", (event) => pin(column, event));
  }
  if (state.line) revealLine(null);
  else {
    const start = startLine(fn);
    if (start && columns[0].list && columns[0].file === start[0]) columns[0].list.reveal(start[1] - 1, true);
  }
}

// The place of the function's first op that has one.
function startLine(fn) {
  for (const id of linesBehind(fn, lastIrRow)) if (data.lineNumbers[id]) return [data.lineFiles[id], data.lineNumbers[id]];
  return null;
}

function sourceColumn(fn) {
  const used = new Map();
  for (const id of linesBehind(fn, 0)) {
    const file = data.lineFiles[id];
    if (file >= 0) used.set(file, (used.get(file) || 0) + 1);
  }
  const files = [...used.keys()].sort((a, b) => used.get(b) - used.get(a));
  const file = state.line && data.sources[state.line[0]]?.length ? state.line[0] : files[0] ?? -1;
  const picker = files.length > 1
    ? make("select", { "aria-label": "Source file", onchange: (event) => { state.line = [Number(event.target.value), 0]; drawView(); } },
      ...files.map((one) => make("option", { value: one, selected: one === file }, fileName(one))))
    : make("small", {}, fileName(file));
  const lines = file < 0 ? [] : data.sources[file];
  return {
    kind: "source", file, count: lines.length, head: [picker], language: "source",
    missing: file < 0 ? "The input has no debug information." : `${fileName(file)} could not be read.`,
    text: (index) => lines[index], place: (index) => [file, index + 1], marks: marksOf(file), executed: data.executed[file],
  };
}

function irColumn(fn) {
  const row = state.irRow ?? lastIrRow;
  const { kept: lines, text } = inlined(linesBehind(fn, row));
  const head = make("select", { "aria-label": "State of the IR", onchange: (event) => { state.irRow = Number(event.target.value); drawView(); } },
    ...[...new Set([0, ...changedRows(fn), lastIrRow, data.rows.length - 1])].sort((a, b) => a - b).map((one) =>
      make("option", { value: one, selected: one === row }, one === lastIrRow ? "optimized" : one === data.rows.length - 1 && one > lastIrRow ? "machine code, last" : `behind ${data.rows[one][0]}`)));
  const aliases = [...new Set(lines.flatMap((id) => data.lines[id].match(/#[a-z_]+\d*/g) || []))].filter((name) => data.aliases[name.slice(1)]);
  const tail = aliases.length ? ["", ...aliases.sort().map((name) => `${name} = ${data.aliases[name.slice(1)]}`)] : [];
  return {
    kind: "ir", count: lines.length + tail.length, head: [head], language: "ir", missing: "There is no IR here.",
    text: (index) => (index < lines.length ? text(lines[index]) : tail[index - lines.length]),
    place: (index) => (index < lines.length ? [data.lineFiles[lines[index]], data.lineNumbers[lines[index]]] : [-1, 0]),
  };
}

function ptxColumn(fn) {
  const [start, end] = fn.ptx;
  return {
    kind: "ptx", count: end - start, head: [], language: "ptx", missing: "There is no PTX of it.",
    text: (index) => data.ptx[start + index].replace(/\t/g, "  "), place: (index) => [data.ptxFiles[start + index], data.ptxNumbers[start + index]],
  };
}

function machineColumn(fn) {
  const missing = data.costs.notes[0] || "ptxas and nvdisasm say nothing of it.";
  return {
    kind: "sass", count: fn.code.length, head: [make("small", {}, data.arch)], language: "sass", missing,
    text: (index) => fn.code[index][0],
    place: (index) => { const line = fn.code[index][1]; return line < 0 ? [-1, 0] : [data.ptxFiles[line], data.ptxNumbers[line]]; },
  };
}

// Marks beside lines of the source: accesses by their verdict, remarks.
function marksOf(file) {
  const found = new Map();
  const rank = { poor: 3, unknown: 2, good: 1 };
  const add = (place, verdict, text) => {
    if (place[0] !== file || !place[1]) return;
    const mark = found.get(place[1]) || { verdict: "good", texts: [] };
    if (rank[verdict] > rank[mark.verdict]) mark.verdict = verdict;
    mark.texts.push(text);
    found.set(place[1], mark);
  };
  for (const access of data.costs.accesses) add(access.place, access.verdict, `${access.space} ${access.kind} ${access.array}: ${access.pattern}; ${access.cost}`);
  for (const local of data.costs.locals) add(local.place, "poor", `${local.kind} ${local.name} in local memory`);
  for (const [kind, pass, , fn, message, at, line] of data.remarks) add([at, line], kind === "Missed" ? "unknown" : "good", `${pass} (${fn}): ${message}`);
  return found;
}

// The instructions that warps executed for a source line, with its other counts as a tooltip.
function executedCell(counts) {
  if (!counts) return make("span", { class: "executed" });
  const [warps, threads, sectors, conflicts, divergent] = counts;
  const active = warps ? (threads / warps).toFixed(1) : "0";
  const title = [`${warps} instructions executed by warps, ${active} active lanes`,
    sectors ? `${sectors} sectors` : "", conflicts ? `${conflicts} bank conflicts` : "", divergent ? `${divergent} divergent branches` : ""];
  return make("span", { class: "executed", title: title.filter(Boolean).join("\n") }, warps.toLocaleString("en"));
}

function drawCodeRow(column, index) {
  const text = column.text(index);
  const place = column.place(index);
  const row = make("div", {}, make("span", { class: "num" }, String(index + 1)));
  if (column.kind === "source") {
    const mark = column.marks.get(index + 1);
    if (column.executed) row.append(executedCell(column.executed[index + 1]));
    row.append(make("span", { class: `tags ${mark?.verdict || ""}`, title: mark ? [...new Set(mark.texts)].join("\n") : "" }, mark ? "●" : ""), text);
  } else row.append(tokens(text, column.language, column.kind === "ir" ? divergentOf(functions[state.fn]) : null));
  row.dataset.place = place[1] ? place.join(":") : "";
  if (state.line && row.dataset.place === state.line.join(":")) row.classList.add("pin");
  return row;
}

function rowOf(event) {
  return event.target.closest?.(".row") || null;
}

function light(column, event) {
  const row = rowOf(event);
  lightLine(row?.dataset.place || null, column);
}

function lightLine(place) {
  for (const column of columns) {
    for (const row of column.list?.drawn.values() || []) row.classList.toggle("lit", Boolean(place) && row.dataset.place === place);
  }
}

function pin(column, event) {
  if (event.target.dataset.name) return;
  const row = rowOf(event);
  if (!row?.dataset.place) return;
  const [file, line] = row.dataset.place.split(":").map(Number);
  const same = state.line && state.line[0] === file && state.line[1] === line;
  state.line = same ? null : [file, line];
  if (state.line && columns[0].file !== file && data.sources[file]?.length) { drawView(); return; }
  for (const one of columns) one.list?.draw(true);
  if (state.line) revealLine(column);
}

// Brings the first row of the pinned line into view in every column but one.
function revealLine(except) {
  const wanted = state.line.join(":");
  for (const column of columns) {
    if (column === except || !column.list) continue;
    for (let index = 0; index < column.count; index++) {
      if (column.place(index).join(":") === wanted) { column.list.reveal(index, true); break; }
    }
  }
}

function showLine(file, line) {
  state.line = [file, line];
  if (!functions[state.fn].cells.length || !linesBehind(functions[state.fn], 0).some((id) => data.lineFiles[id] === file && data.lineNumbers[id] === line)) {
    const owner = functions.find((fn) => linesBehind(fn, 0).some((id) => data.lineFiles[id] === file && data.lineNumbers[id] === line));
    if (owner) state.fn = owner.index;
  }
  show("code");
}

function redrawCode() {
  changeList?.draw(true);
  for (const column of columns) column.list?.draw(true);
  markGraph();
}
