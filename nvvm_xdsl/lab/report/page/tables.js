// Tables: what memory accesses and occupancy cost, where the time went, what passes told.
const link = (place) => place[0] < 0 || !place[1] ? "" : make("button", { class: "link", title: fileName(place[0]), onclick: () => showLine(place[0], place[1]) }, placeText(place));
const sourceText = ([file, line]) => (data.sources[file]?.[line - 1] || "").trim();

const MOST = 2000, MOST_CARDS = 24;
// The first of many, and how many are left out.
const first = (list, most = MOST) => list.slice(0, most);
const left = (list, most = MOST) => (list.length > most ? [make("p", { class: "soft" }, `… and ${list.length - most} more: --report k.json has all.`)] : []);

// Heads that begin with # are of numbers, with = of what is not to be broken, with ~ of what may be cut.
const FORMS = { "#": "n", "=": "tight", "~": "cut" };

function table(heads, rows) {
  const form = (at) => FORMS[heads[at][0]] || "";
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((head, at) => make("th", { class: form(at) }, form(at) ? head.slice(1) : head)))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell, at) => make("td", { class: form(at), title: form(at) === "cut" ? cell.textContent ?? cell : "" }, cell))))));
}

function drawCosts(view) {
  const stage = make("div", { class: "stage", tabIndex: 0 });
  view.replaceChildren(stage);
  const { accesses, locals, loops, occupancy, notes } = data.costs;
  const here = functions[state.fn].name;
  if (occupancy.length) stage.append(make("h2", {}, `Occupancy on ${data.arch}`), make("div", { class: "cards" }, ...first([...occupancy].sort((a, b) => (b.function === here) - (a.function === here)), MOST_CARDS).map(occupancyCard)), ...left(occupancy, MOST_CARDS));
  stage.append(make("h2", {}, "Accesses of a warp to global and shared memory"));
  stage.append(accesses.length ? table(["=line", "", "=access", "#bytes", "~array", "=pattern over the warp", "=cost", "~source"], first(accesses).map((one) => [
    link(one.place), make("span", { class: one.verdict }, "●"), `${one.space} ${one.kind}`, String(one.size), one.array, one.pattern,
    make("span", { class: one.verdict }, one.cost), make("code", {}, sourceText(one.place))])) : make("p", { class: "soft" }, "There are none."));
  stage.append(...left(accesses), make("h2", {}, "Variables in local memory"));
  stage.append(locals.length ? table(["=line", "variable", "#bytes", "why", "=ptxas"], first(locals).map((one) => [
    link(one.place), `${one.kind} ${one.name} in ${one.function}`, String(one.size ?? "?"),
    make("span", {}, ...one.causes.flatMap((cause) => [make("div", {}, `${cause.text} `, link(cause.place))])), one.verdict])) : make("p", { class: "soft" }, "There are none."));
  stage.append(...left(locals));
  if (loops.length) stage.append(make("h2", {}, "Loops with a trip count known at run time"), table(["=line", "=loop", "effect", "~source"], first(loops).map((one) => [
    link(one.place), one.decision, one.advice, make("code", {}, sourceText(one.place))])), ...left(loops));
  for (const note of notes) stage.append(make("p", { class: "unknown" }, note));
}

function drawTime(view) {
  const stage = make("div", { class: "stage", tabIndex: 0 });
  view.replaceChildren(stage);
  const byName = new Map();
  data.rows.forEach(([name, , where, taken], row) => {
    if (name === "input" || name === "select") return;
    const one = byName.get(name) || { name, where, taken: 0, runs: 0, changed: 0, first: row };
    one.taken += taken;
    for (const fn of functions) {
      const cell = cellAt(fn, row);
      if (!cell) continue;
      one.runs++;
      if (cell[CELL.edits]) { one.changed++; if (!cellAt(functions[state.fn], one.first)?.[CELL.edits]) one.first = row; }
    }
    byName.set(name, one);
  });
  const all = [...byName.values()].sort((a, b) => b.taken - a.taken);
  const total = all.reduce((sum, one) => sum + one.taken, 0);
  const bar = (taken) => {
    const box = make("div", { class: "meter" }), inner = make("i");
    inner.style.width = `${(100 * taken) / Math.max(1, all[0].taken)}%`;
    box.style.width = "240px";
    box.append(inner);
    return box;
  };
  stage.append(make("h2", {}, `Passes took ${time(total)} of ${data.seconds.toFixed(2)} s; the rest is reading, selection, printing, and this recording`),
    table(["pass", "", "#time", "#share", "#runs", "#functions changed", "part"], all.map((one) => [
      make("button", { class: "link", onclick: () => select(state.fn, one.first, "change") }, one.name), bar(one.taken), time(one.taken), `${((100 * one.taken) / Math.max(1, total)).toFixed(1)}%`,
      String(one.runs), String(one.changed), one.where === "machine" ? "machine code" : "IR"])));
}

function drawRemarks(view) {
  const box = make("div", { class: "stage", tabIndex: 0 });
  view.replaceChildren(box);
  const rows = [];
  for (const fn of functions) for (const cell of fn.cells) for (const index of cell[CELL.remarks]) rows.push([fn, cell[CELL.row], data.remarks[index]]);
  box.append(make("h2", {}, `${rows.length} remarks${rows.length > MOST ? `, the first ${MOST}` : ""}`));
  if (rows.length) {
    box.append(table(["=line", "", "=pass", "~function", "remark"], rows.slice(0, MOST).map(([fn, row, [kind, pass, , , message, file, line]]) => [
      link([file, line]), make("span", { class: kind === "Missed" ? "poor" : kind === "Passed" ? "good" : "unknown" }, kind === "Missed" ? "missed" : kind === "Passed" ? "done" : "fact"),
      make("button", { class: "link", onclick: () => select(fn.index, row, "change") }, pass), fn.name, message])));
  }
}
