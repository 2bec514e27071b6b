// Lines of code as coloured tokens. Values, blocks and registers can be clicked and followed.
const TOKEN = /("(?:[^"\\]|\\.)*")|(\/\/.*)|(%[\w.$-]+)|(\^[\w.$-]+)|(@[\w.$-]+|\$L\w+)|(#[A-Za-z_][\w.]*)|(^\s*[A-Za-z][\w]*(?:\.[\w:]+)+|(?:llvm|nvvm|nvptx)\.[\w.]+)/g;
const MACHINE = /(\bU?R\d+\b|\bU?P\d+\b)|(\.L_\w+)|(\/\*[0-9a-f]+\*\/)|(\b[A-Z][A-Z0-9]+(?:\.\w+)*\b)/g;
const CLASSES = ["t-q", "t-c", "t-v", "t-b", "t-s", "t-a", "t-op"];
const MACHINE_CLASSES = ["t-v", "t-b", "t-c", "t-op"];
const FOLLOWED = new Set(["t-v", "t-b"]);

// language: "ir", "ptx" or "sass"; divergent: names of values that are marked; other: the line that
// this one took the place of, so that what differs is set off.
function tokens(text, language, divergent = null, other = null) {
  const made = document.createDocumentFragment();
  const pattern = language === "sass" ? MACHINE : TOKEN;
  const classes = language === "sass" ? MACHINE_CLASSES : CLASSES;
  const known = other === null ? null : new Map();
  if (known) for (const word of words(other)) known.set(word, (known.get(word) || 0) + 1);
  const plain = (part) => {
    if (!known) { made.append(part); return; }
    for (const word of words(part)) {
      const left = known.get(word) || 0;
      if (left) { known.set(word, left - 1); made.append(word); } else if (word.trim()) made.append(make("em", {}, word));
      else made.append(word);
    }
  };
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) plain(text.slice(at, match.index));
    const kind = match.findIndex((part, index) => index && part !== undefined) - 1;
    const word = match[0];
    const span = make("span", { class: classes[kind] }, word);
    if (FOLLOWED.has(classes[kind])) {
      span.dataset.name = word;
      if (divergent?.has(word.slice(1)) && classes[kind] === "t-v") {
        span.classList.add("div");
        span.title = "may differ between the threads of a warp";
      }
      if (isFollowed(word, language)) span.classList.add("followed");
    } else if (classes[kind] === "t-a" && data.aliases[word.slice(1)]) {
      span.title = `${word} = ${data.aliases[word.slice(1)]}`;
    }
    if (known) {
      const left = known.get(word) || 0;
      if (left) known.set(word, left - 1); else { made.append(make("em", {}, span)); at = match.index + word.length; continue; }
    }
    made.append(span);
    at = match.index + word.length;
  }
  if (at < text.length) plain(text.slice(at));
  if (known) joinMarks(made);
  return made;
}

// One mark in place of adjacent ones, also where only spaces are between them.
function joinMarks(made) {
  for (let mark = made.querySelector("em"); mark; mark = mark.nextElementSibling) {
    if (mark.tagName !== "EM") continue;
    for (;;) {
      const next = mark.nextSibling;
      const isSpace = next?.nodeType === Node.TEXT_NODE && !next.data.trim();
      const joined = isSpace ? next.nextSibling : next;
      if (joined?.tagName !== "EM") break;
      if (isSpace) mark.append(next);
      mark.append(...joined.childNodes);
      joined.remove();
    }
  }
}

// Lines of the IR without constants, whose values replace their uses: the lines kept, their places, and the text of each.
const CONSTANT = /^\s*(%[\w.$-]+) = llvm\.mlir\.(?:constant\((.*?)(?: : [^"]*)?\)|(zero|poison|undef)|addressof (@\S+))(?: : .*)?$/;

function inlined(ids) {
  const values = new Map();
  const kept = [], places = [];
  ids.forEach((id, place) => {
    const match = CONSTANT.exec(data.lines[id]);
    if (match) values.set(match[1], match[2] ?? match[3] ?? match[4]);
    else { kept.push(id); places.push(place); }
  });
  const text = (id) => (values.size ? data.lines[id].replace(/%[\w.$-]+/g, (name) => values.get(name) ?? name) : data.lines[id]);
  return { kept, places, text };
}

const words = (text) => text.match(/[%^@#]?[\w.$-]+|\s+|[^\w\s]/g) || [];
const defined = (text) => /^\s*(%[\w.$-]+) =/.exec(text)?.[1] ?? (/^\^[\w.$-]+/.exec(text)?.[0] || null);

function isFollowed(word, language) {
  const follow = state.follow;
  return Boolean(follow) && follow.language === language && follow.name === word &&
    (language !== "ir" || follow.fn === state.fn);
}

function mentions(text, name) {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w.$-]/.test(text[at + name.length] || "")) return true;
  }
  return false;
}

// What became of a value or block of the IR: the rows in which a line that names it came or went.
function lifeOf(fn, name) {
  const found = [];
  let lines = [];
  for (const cell of fn.cells) {
    const edits = cell[CELL.edits];
    if (!edits) continue;
    const gone = [], come = [];
    for (const [start, removed, added] of edits) {
      for (let at = start; at < start + removed; at++) if (mentions(data.lines[lines[at]], name)) gone.push(lines[at]);
      for (const line of added) if (mentions(data.lines[line], name)) come.push(line);
    }
    lines = applied(lines, edits);
    const fresh = come.filter((line) => !gone.includes(line)), lost = gone.filter((line) => !come.includes(line));
    if (fresh.length || lost.length) found.push({ row: cell[CELL.row], fresh, lost });
  }
  return found;
}

function follow(name, language) {
  const same = state.follow && state.follow.name === name && state.follow.language === language;
  state.follow = same ? null : { name, language, fn: state.fn };
  drawFollow();
  redrawCode();
}

function drawFollow() {
  const box = byId("follow");
  box.hidden = !state.follow;
  if (!state.follow) return;
  const { name, language } = state.follow;
  const fn = functions[state.follow.fn];
  const what = language !== "ir" ? "register" : name[0] === "^" ? "block" : "value";
  const life = language === "ir" ? lifeOf(fn, name) : [];
  const divergent = Object.values(fn.flows).some((flow) => flow.divergent.includes(name.slice(1)));
  const note = what === "value" ? (divergent ? "may differ between the threads of a warp" : "the same in all threads of a warp") : "";
  const steps = life.map(({ row, fresh, lost }) => {
    const line = fresh.find((id) => defined(data.lines[id]) === name) ?? lost.find((id) => defined(data.lines[id]) === name) ?? fresh[0] ?? lost[0];
    const sign = fresh.length ? "+" : "−";
    return make("button", { class: "step", onclick: () => select(state.follow.fn, row, "change") },
      make("span", { class: fresh.length ? "plus" : "minus" }, `${sign} `),
      make("b", {}, data.rows[row][0]), "  ", make("code", {}, data.lines[line].trim()));
  });
  box.replaceChildren(
    make("button", { class: "x", title: "Stop following (Esc)", onclick: () => follow(name, language) }, "✕"),
    make("h3", {}, `${what} `, make("code", { class: "followed" }, name), ` in ${fn.name}  `, make("span", { class: "soft" }, note)),
    ...(steps.length ? steps : [make("span", { class: "soft" }, "Lit wherever it stands in this column.")]),
  );
}
