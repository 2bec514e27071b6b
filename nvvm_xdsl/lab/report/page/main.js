// The views, the keys, and how one gets from place to place.
const TABS = [
  ["change", "Change", drawChange], ["code", "Code", drawCode], ["graph", "Graph", drawGraph],
  ["registers", "Registers", drawRegisters], ["costs", "Costs", drawCosts], ["time", "Time", drawTime], ["remarks", "Remarks", drawRemarks],
];
const KEYS = [
  ["/", "search; %name and Enter follows a value"], ["j k", "next and previous change"], ["↓ ↑", "next and previous pass"], ["[ ]", "previous and next function"],
  ["1 … 7", "the views"], ["w", "the whole function around a change"], ["t", "light or dark"], ["Esc", "follow nothing"], ["?", "these keys"],
];

function drawView() {
  const view = byId("view");
  columns = [];
  changeList = null;
  byId("tabs").replaceChildren(...TABS.map(([id, title], at) => make("button", {
    role: "tab", id: `tab-${id}`, "aria-selected": String(id === state.tab), title: `${title} (${at + 1})`, onclick: () => show(id),
  }, title, id === "remarks" && data.remarks.length ? make("span", { class: "n" }, ` ${data.remarks.length}`) : "")));
  TABS.find(([id]) => id === state.tab)[2](view);
}

function show(tab) {
  state.tab = tab;
  drawSide();
  drawView();
}

function select(fn, row, tab = state.tab) {
  if (fn !== state.fn && state.follow) { state.follow = null; drawFollow(); }
  state.fn = fn;
  state.row = row;
  if (state.tab === "code" && tab === "code") state.irRow = row;
  state.tab = tab;
  // On a phone one pane is shown: what was selected.
  document.body.classList.remove("passes");
  drawSide();
  drawView();
}

function step(what, by) {
  if (what === "fn") { select((state.fn + by + functions.length) % functions.length, state.row); return; }
  if (what === "row") { select(state.fn, Math.max(0, Math.min(data.rows.length - 1, state.row + by))); return; }
  const rows = changedRows(functions[state.fn]);
  const next = by > 0 ? rows.find((row) => row > state.row) : rows.filter((row) => row < state.row).pop();
  if (next !== undefined) select(state.fn, next, "change");
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
}

function setUp() {
  byId("title").textContent = data.title;
  byId("title").title = data.inputs.join("\n");
  byId("meta").textContent = `${data.arch} ${data.level} · ${data.rows.length} passes · nvvm-xdsl ${data.version}`;
  setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  byId("panes").addEventListener("click", () => document.body.classList.toggle("passes"));
  const keys = byId("keys");
  keys.replaceChildren(make("table", {}, ...KEYS.map(([key, text]) => make("tr", {}, make("td", {}, ...key.split(" ").map((one) => make("kbd", {}, one))), make("td", {}, text)))));
  keys.addEventListener("click", () => keys.close());
  byId("help").addEventListener("click", () => keys.showModal());
  byId("view").addEventListener("click", (event) => {
    const name = event.target.dataset?.name;
    if (!name) return;
    const column = event.target.closest("[data-column]")?.dataset.column || "ir";
    follow(name, column);
  });
  setUpSearch();
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const tab = TABS[Number(event.key) - 1];
    const inPasses = byId("passes").contains(event.target) || event.target === document.body;
    if (tab) show(tab[0]);
    else if (event.key === "/") byId("search").focus();
    else if (event.key === "j") step("change", 1);
    else if (event.key === "k") step("change", -1);
    else if (event.key === "ArrowDown" && inPasses) step("row", 1);
    else if (event.key === "ArrowUp" && inPasses) step("row", -1);
    else if (event.key === "[") step("fn", -1);
    else if (event.key === "]") step("fn", 1);
    else if (event.key === "w") { state.whole = !state.whole; drawView(); }
    else if (event.key === "t") byId("theme").click();
    else if (event.key === "?") byId("keys").showModal();
    else if (event.key === "Escape" && state.follow) follow(state.follow.name, state.follow.language);
    else return;
    event.preventDefault();
  });
  state.fn = Math.max(0, functions.findIndex((fn) => fn.name === data.start));
  state.row = changedRows(functions[state.fn] || { cells: [] })[1] ?? 0;
  show("change");
}

if (functions.length) setUp();
else byId("view").append(make("div", { class: "empty" }, "There are no functions."));
