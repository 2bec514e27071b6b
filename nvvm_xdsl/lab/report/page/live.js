// The live page: what is typed is compiled after a short pause, and the newest answer is shown.
const PAUSE = 250;
const start = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const VIEWS = ["ir", "ptx", "sass", "costs"];
let answer = { ir: "", ptx: "", sass: "", costs: "" };
let view = "ptx", timer = 0, running = null;

function tabs(names, at) {
  for (const name of names) byId(`show-${name}`).setAttribute("aria-selected", String(name === at));
}

function showInput(name) {
  tabs(["source", "pipeline"], name);
  byId("source").hidden = name !== "source";
  byId("pipeline").hidden = name !== "pipeline";
}

function showView(name) {
  view = name;
  tabs(VIEWS, name);
  byId("result").textContent = name === "costs" ? [answer.costs, answer.remarks].filter(Boolean).join("\n") : answer[name];
}

async function compile() {
  running?.abort();
  const mine = running = new AbortController();
  byId("status").textContent = "compiling …";
  const asked = { text: byId("source").value, pipeline: byId("pipeline").value, arch: byId("arch").value.trim(), level: byId("level").value };
  let got;
  try {
    const response = await fetch("compile", { method: "POST", signal: mine.signal, headers: { "X-Token": start.token }, body: JSON.stringify(asked) });
    got = await response.json();
  } catch (error) {
    if (mine.signal.aborted) return;
    got = { error: `the server does not answer: ${error.message}` };
  }
  if (running !== mine) return;
  const failed = got.error !== undefined;
  byId("error").hidden = !failed;
  byId("error").textContent = failed ? got.error : "";
  byId("output").classList.toggle("old", failed);
  byId("status").textContent = failed ? "error" : `${got.arch}, ${got.seconds} s · nvvm-xdsl ${start.version}`;
  if (failed) return;
  answer = got;
  showView(view);
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(compile, PAUSE);
}

document.title = `${start.name} · nvvm-view`;
byId("name").textContent = start.name;
byId("source").value = start.text;
byId("pipeline").value = start.pipeline;
byId("arch").value = start.arch;
for (const id of ["source", "pipeline", "arch", "level"]) byId(id).addEventListener("input", later);
for (const name of ["source", "pipeline"]) byId(`show-${name}`).addEventListener("click", () => showInput(name));
for (const name of VIEWS) byId(`show-${name}`).addEventListener("click", () => showView(name));
showInput("source");
showView("ptx");
compile();
