// What one pass did to one function, as a diff in which values have the names that they keep.
const CONTEXT = 3;
let changeRows = [];
let changeList = null;

function drawChange(view) {
  const fn = functions[state.fn];
  const cell = cellAt(fn, state.row);
  const [name, text, stage, taken] = data.rows[state.row];
  const { plus, minus } = changeSize(cell);
  const mine = cell ? cell[CELL.time] || (cell[CELL.row] === 0 ? 0 : taken) : 0;
  const verdict = !cell ? "did not run on it" : plus || minus ? "" : "changed nothing";
  const bar = make("div", { class: "bar" },
    make("span", { class: "what" }, text),
    make("span", { class: "soft" }, `on ${fn.label}${stage === "machine" && name !== "select" ? ", machine code" : ""}`),
    plus || minus ? make("span", {}, make("span", { class: "plus" }, `+${plus}`), " ", make("span", { class: "minus" }, `−${minus}`)) : make("span", { class: "soft" }, verdict),
    make("span", { class: "soft" }, mine ? time(mine) : ""),
    make("span", { class: "grow" }),
    make("button", { class: "button", title: "Previous change (k)", onclick: () => step("change", -1) }, "↑ change"),
    make("button", { class: "button", title: "Next change (j)", onclick: () => step("change", 1) }, "↓ change"),
    make("button", { class: "button", id: "whole", "aria-pressed": String(state.whole), title: "All lines of the function (w)", onclick: () => { state.whole = !state.whole; drawView(); } }, "whole function"));
  const remarks = cell ? cell[CELL.remarks].map((index) => drawRemark(data.remarks[index])) : [];
  const box = make("div", { class: "code", tabIndex: 0, "aria-label": "The change" });
  view.replaceChildren(bar, ...remarks, box);
  changeRows = rowsOfChange(fn, cell);
  changeList = new List(box, 18, drawChangeRow);
  changeList.show(changeRows.length);
  if (!changeRows.length) box.append(make("div", { class: "empty" }, fn.gone ? "The function is gone." : "The function has no lines here."));
  const first = changeRows.findIndex((row) => row.sign !== " ");
  if (state.whole && first > 0) changeList.reveal(first, true);
}

function rowsOfChange(fn, cell) {
  const edits = (cell && cell[CELL.edits]) || [];
  const before = linesBehind(fn, state.row - 1);
  const rows = [];
  let at = 0, now = 0;
  const keep = (from, to, isFirst, isLast) => {
    const open = state.whole || !edits.length;
    for (let line = from; line < to; line++, now++) {
      const near = (!isFirst && line < from + CONTEXT) || (!isLast && line >= to - CONTEXT);
      if (open || near) rows.push({ sign: " ", id: before[line], old: line + 1, now: now + 1 });
      else if (!rows.length || rows[rows.length - 1].sign !== "…") rows.push({ sign: "…", count: 1 });
      else rows[rows.length - 1].count++;
    }
  };
  for (const [start, removed, added] of edits) {
    keep(at, start, at === 0, false);
    const names = new Map();
    for (let line = start; line < start + removed; line++) {
      const row = { sign: "−", id: before[line], old: line + 1 };
      rows.push(row);
      const name = defined(data.lines[row.id]);
      if (name) names.set(name, row);
    }
    for (const id of added) {
      const row = { sign: "+", id, now: ++now };
      const partner = names.get(defined(data.lines[id]));
      if (partner) { row.other = data.lines[partner.id]; partner.other = data.lines[id]; }
      rows.push(row);
    }
    at = start + removed;
  }
  keep(at, before.length, at === 0, true);
  return rows;
}

function drawChangeRow(index) {
  const row = changeRows[index];
  if (row.sign === "…") {
    return make("div", { class: "gap", onclick: () => { state.whole = true; drawView(); } }, `          ⋯ ${row.count} lines as before`);
  }
  const kind = row.sign === "+" ? "add" : row.sign === "−" ? "del" : "";
  const made = make("div", { class: kind },
    make("span", { class: "num" }, String(row.old ?? "")), make("span", { class: "num" }, String(row.now ?? "")),
    make("span", { class: "mark" }, row.sign), tokens(data.lines[row.id], "ir", divergentOf(functions[state.fn]), row.other ?? null));
  made.dataset.line = row.id;
  return made;
}

function divergentOf(fn) {
  fn.divergentNames ??= new Set([...(fn.flows.input?.divergent || []), ...(fn.flows.optimized?.divergent || [])]);
  return fn.divergentNames;
}

function drawRemark([kind, pass, name, fn, message, file, line]) {
  return make("div", { class: "bar remark" },
    make("span", { class: kind === "Missed" ? "poor" : kind === "Passed" ? "good" : "unknown" }, kind === "Missed" ? "missed" : kind === "Passed" ? "done" : "fact"),
    make("span", {}, make("b", {}, pass), ` ${message}`),
    file >= 0 && line ? make("button", { class: "link", title: fileName(file), onclick: () => showLine(file, line) }, placeText([file, line])) : "");
}
