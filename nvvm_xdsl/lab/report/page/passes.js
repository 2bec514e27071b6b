// The passes, down, and what each did to the functions, across.
const ACROSS = 8;
let shownRows = [];
let passList = null;

// Names of one program often start alike, so the end is kept too.
const middleCut = (name) => (name.length > 10 ? `${name.slice(0, 3)}…${name.slice(-6)}` : name);

function acrossWindow() {
  const start = Math.max(0, Math.min(state.fn - Math.floor(ACROSS / 2), functions.length - ACROSS));
  return functions.slice(start, start + ACROSS);
}

// Rows as they are shown: runs of passes that changed and told nothing are one, unless opened.
function foldRows() {
  const across = acrossWindow();
  const found = [];
  let run = [];
  const flush = () => {
    if (run.length > 1 && !state.opened.has(run[0])) found.push({ fold: run });
    else for (const row of run) found.push({ row, closes: run.length > 1 && row === run[0] ? run[0] : -1 });
    run = [];
  };
  data.rows.forEach((row, index) => {
    const speaks = across.some((fn) => {
      const cell = cellAt(fn, index);
      return cell && (cell[CELL.edits] || cell[CELL.remarks].length);
    });
    if (speaks || index === 0) { flush(); found.push({ row: index, closes: -1 }); } else run.push(index);
  });
  flush();
  shownRows = found;
}

function drawSide() {
  const picker = make("select", { "aria-label": "Function", onchange: (event) => select(Number(event.target.value), state.row) },
    ...functions.map((fn) => make("option", { value: fn.index, selected: fn.index === state.fn }, `${fn.label}${fn.kernel ? "  (kernel)" : ""}${fn.gone ? "  (gone)" : ""}`)));
  const across = functions.length > 1
    ? [make("div", { class: "across" }, ...acrossWindow().map((fn) => make("button", {
      class: fn.index === state.fn ? "at" : "", title: fn.title, onclick: () => select(fn.index, state.row),
    }, middleCut(fn.label))))]
    : [];
  byId("sidehead").replaceChildren(
    make("div", { class: "pick" },
      make("button", { title: "Previous function ( [ )", "aria-label": "Previous function", onclick: () => step("fn", -1) }, "‹"),
      picker,
      make("button", { title: "Next function ( ] )", "aria-label": "Next function", onclick: () => step("fn", 1) }, "›")),
    ...across);
  foldRows();
  passList ??= new List(byId("passes"), 24, drawPass);
  passList.show(shownRows.length);
  const at = shownRows.findIndex((shown) => shown.row === state.row || shown.fold?.includes(state.row));
  if (at >= 0) passList.reveal(at);
}

const slowest = Math.max(1, ...data.rows.map((row) => row[3]));

function drawPass(index) {
  const shown = shownRows[index];
  if (shown.fold) {
    const total = shown.fold.reduce((sum, row) => sum + data.rows[row][3], 0);
    const row = make("div", { class: "fold", title: "Show them", onclick: () => { state.opened.add(shown.fold[0]); drawSide(); } },
      make("span", {}, "▸"), make("span", { class: "name" }, `${shown.fold.length} passes changed nothing`),
      make("span", { class: "time" }, time(total)));
    return row;
  }
  const [name, text, stage, taken] = data.rows[shown.row];
  const across = acrossWindow();
  const isStage = name === "input" || name === "select";
  const row = make("div", {
    class: `${shown.row === state.row ? "at" : ""} ${isStage ? "stage" : ""}`, title: text, role: "option",
    "aria-selected": String(shown.row === state.row),
    onclick: () => select(state.fn, shown.row, state.tab === "code" ? "code" : "change"),
  });
  if (shown.closes >= 0) {
    row.append(make("span", { title: "Fold", onclick: (event) => { event.stopPropagation(); state.opened.delete(shown.closes); drawSide(); } }, "▾"));
  }
  const bar = make("i");
  bar.style.width = `${(100 * taken) / slowest}%`;
  row.append(make("span", { class: "name" }, isStage ? (name === "input" ? "the input" : "instruction selection") : name),
    make("span", { class: "time" }, isStage ? "" : time(taken), bar),
    make("span", { class: "cells" }, ...across.map((fn) => drawCell(fn, shown.row))));
  row.classList.toggle("same", !across.some((fn) => cellAt(fn, shown.row)?.[CELL.edits]));
  if (stage === "machine") row.dataset.stage = stage;
  return row;
}

function drawCell(fn, row) {
  const cell = cellAt(fn, row);
  const { plus, minus } = changeSize(cell);
  const size = plus + minus;
  const kind = !cell ? "none" : size ? "" : cell[CELL.remarks].length ? "remark" : "same";
  const made = make("span", {
    class: `cell ${kind} ${fn.index === state.fn && row === state.row ? "at" : ""}`,
    title: `${fn.label}: ${size ? `+${plus} −${minus} lines` : cell ? "unchanged" : "not run"}`,
    onclick: (event) => { event.stopPropagation(); select(fn.index, row, "change"); },
  });
  if (size) made.style.background = `rgb(var(--heat) / ${Math.min(1, 0.25 + Math.log2(1 + size) / 12)})`;
  return made;
}
