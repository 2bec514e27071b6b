// The recording, and questions about it. Lines are numbers into data.lines; a function's states are
// made from its edits when they are asked for.
const source = document.getElementById("data");
const data = JSON.parse(source.textContent);
source.textContent = "";

const functions = data.functions.map((f, index) => ({
  ...f, index, byRow: new Map(f.cells.map((cell, at) => [cell[0], at])), states: new Map(),
}));
const CELL = { row: 0, time: 1, edits: 2, remarks: 3 };
const STATES_KEPT = 12;
const lastIrRow = data.stageRows.optimized ?? data.rows.length - 1;

const state = {
  fn: 0, row: 0, tab: "change", follow: null, line: null, whole: false, opened: new Set(), irRow: null,
  stage: "optimized", ops: true,
};

function cellAt(fn, row) {
  const at = fn.byRow.get(row);
  return at === undefined ? null : fn.cells[at];
}

function applied(lines, edits) {
  const found = [];
  let at = 0;
  for (const [start, removed, added] of edits) {
    for (; at < start; at++) found.push(lines[at]);
    for (const line of added) found.push(line);
    at = start + removed;
  }
  for (; at < lines.length; at++) found.push(lines[at]);
  return found;
}

// The function's lines behind a row of the pipeline; before all rows for -1.
function linesBehind(fn, row) {
  let last = -1;
  while (last + 1 < fn.cells.length && fn.cells[last + 1][CELL.row] <= row) last++;
  while (last >= 0 && !fn.cells[last][CELL.edits]) last--;
  if (last < 0) return [];
  const known = fn.states.get(last);
  if (known) return known;
  let start = last - 1;
  while (start >= 0 && !fn.states.has(start)) start--;
  let lines = start < 0 ? [] : fn.states.get(start);
  for (let at = start + 1; at <= last; at++) {
    const edits = fn.cells[at][CELL.edits];
    if (edits) lines = applied(lines, edits);
  }
  if (fn.states.size >= STATES_KEPT) fn.states.delete(fn.states.keys().next().value);
  fn.states.set(last, lines);
  return lines;
}

function changeSize(cell) {
  let plus = 0, minus = 0;
  for (const [, removed, added] of cell?.[CELL.edits] || []) { plus += added.length; minus += removed; }
  return { plus, minus };
}

const rowOfStage = (stage) => data.stageRows[stage] ?? data.rows.length - 1;

// The rows in which the function changed, in order.
const changedRows = (fn) => fn.cells.filter((cell) => cell[CELL.edits]).map((cell) => cell[CELL.row]);

function time(microseconds) {
  if (microseconds >= 1e6) return `${(microseconds / 1e6).toFixed(2)} s`;
  return microseconds >= 1000 ? `${(microseconds / 1000).toFixed(1)} ms` : `${microseconds} µs`;
}

// Small helpers for elements: text is always set as text.
function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") made.className = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && name !== "list") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}
const byId = (id) => document.getElementById(id);

const fileName = (file) => (file < 0 ? "" : data.files[file].replace(/^\.\//, ""));
// The end of an absolute path is enough to recognize a file.
const placeText = ([file, line]) => (file < 0 || !line ? "" : `${fileName(file).replace(/^\/.*(?=\/[^/]+\/)/, "…")}:${line}`);
