// The control-flow graph of a function: loops as boxes, hot blocks warm, divergent branches red.
const SVG = "http://www.w3.org/2000/svg";
const OPS_SHOWN = 10, MOST_BLOCKS_WITH_OPS = 150, MOST_BLOCKS = 600, NODE_CHARS = 58;

// The positions of blocks and the points of edges, by dagre (its source is dagre.min.js).
// sizes: width and height of each block; targets: of its edges.
function placeBlocks(sizes, targets) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ nodesep: 32, ranksep: 48, edgesep: 16, ranker: sizes.length > MOST_BLOCKS_WITH_OPS ? "longest-path" : "network-simplex" });
  sizes.forEach(([width, height], block) => graph.setNode(String(block), { width, height }));
  targets.forEach((list, block) => list.forEach((target, index) => graph.setEdge(String(block), String(target), {}, String(index))));
  dagre.layout(graph);
  const nodes = sizes.map(([width, height], block) => {
    const { x, y } = graph.node(String(block));
    return { block, width, height, x, y: y - height / 2 };
  });
  const edges = targets.flatMap((list, from) => list.map((to, index) => ({ from, to, index, points: graph.edge(String(from), String(to), String(index)).points })));
  const { width, height } = graph.graph();
  return { nodes, edges, width, height };
}

// A smooth line through the middles between points.
function edgePath(points) {
  const middle = (a, b) => `${(a.x + b.x) / 2} ${(a.y + b.y) / 2}`;
  let path = `M${points[0].x} ${points[0].y} L${middle(points[0], points[1])}`;
  for (let at = 1; at + 1 < points.length; at++) path += ` Q${points[at].x} ${points[at].y} ${middle(points[at], points[at + 1])}`;
  const last = points[points.length - 1];
  return `${path} L${last.x} ${last.y}`;
}

function svg(tag, properties = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function drawGraph(view) {
  const fn = functions[state.fn];
  const stages = Object.keys(fn.flows);
  if (!stages.length) { view.replaceChildren(make("div", { class: "empty" }, "There is no control flow here.")); return; }
  const stage = stages.includes(state.stage) ? state.stage : stages[0];
  const flow = fn.flows[stage];
  const hottest = Math.max(...flow.blocks.map((block) => block[3]), 1);
  const bar = make("div", { class: "bar" },
    ...stages.map((one) => make("button", { class: "button", "aria-pressed": String(one === stage), onclick: () => { state.stage = one; drawView(); } }, data.stages[one])),
    make("button", { class: "button", "aria-pressed": String(state.ops), onclick: () => { state.ops = !state.ops; drawView(); } }, "ops"),
    make("span", { class: "soft" }, `${flow.blocks.length} blocks, ${flow.loops.length} loops; the hottest runs ${hottest.toPrecision(3)} times as often as the function`),
    make("span", { class: "grow" }),
    make("span", { class: "poor" }, "━ threads of a warp may part"));
  const stageBox = make("div", { class: "stage", id: "graph", tabIndex: 0, "aria-label": "Control flow" });
  view.replaceChildren(bar, stageBox);
  if (flow.blocks.length > MOST_BLOCKS) {
    stageBox.append(make("div", { class: "empty" }, `${flow.blocks.length} blocks are too many for a picture that tells anything.`));
    return;
  }
  const picture = graphPicture(fn, flow, stage, hottest);
  stageBox.append(picture);
  moveAndZoom(stageBox, picture, bar);
  markGraph();
}

// The picture is moved by dragging and arrow keys, and scaled by the wheel, + and -; 0 shows all of it.
function moveAndZoom(box, picture, bar) {
  const size = [Number(picture.getAttribute("width")), Number(picture.getAttribute("height"))];
  picture.setAttribute("width", "100%");
  picture.setAttribute("height", "100%");
  let scale = 1, left = 0, top = 0, held = null;
  const draw = () => picture.setAttribute("viewBox", `${left} ${top} ${box.clientWidth / scale} ${box.clientHeight / scale}`);
  const zoom = (factor, x = box.clientWidth / 2, y = box.clientHeight / 2) => {
    const next = Math.max(0.05, Math.min(4, scale * factor));
    left += x / scale - x / next;
    top += y / scale - y / next;
    scale = next;
    draw();
  };
  const fit = () => {
    scale = Math.min(1, box.clientWidth / size[0], box.clientHeight / size[1]);
    left = (size[0] - box.clientWidth / scale) / 2;
    top = Math.min(0, (size[1] - box.clientHeight / scale) / 2);
    draw();
  };
  const button = (id, title, text, action) => make("button", { class: "button", id, title, "aria-label": title, onclick: action }, text);
  bar.append(button("zoom-out", "Smaller (-)", "−", () => zoom(0.8)), button("zoom-in", "Larger (+)", "+", () => zoom(1.25)), button("zoom-fit", "All of it (0)", "all", fit));
  box.addEventListener("wheel", (event) => { event.preventDefault(); const at = box.getBoundingClientRect(); zoom(Math.exp(-event.deltaY / 400), event.clientX - at.left, event.clientY - at.top); }, { passive: false });
  box.addEventListener("pointerdown", (event) => { held = [event.clientX, event.clientY]; });
  box.addEventListener("pointermove", (event) => {
    if (!held || !event.buttons) { held = null; box.classList.remove("moving"); return; }
    box.classList.add("moving");
    left -= (event.clientX - held[0]) / scale;
    top -= (event.clientY - held[1]) / scale;
    held = [event.clientX, event.clientY];
    draw();
  });
  box.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] };
    if (event.key === "+") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") fit();
    else if (moves[event.key]) { left += moves[event.key][0] / scale; top += moves[event.key][1] / scale; draw(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // The graph starts readable, at its top; smaller ones are in the middle.
  left = Math.min(0, (size[0] - box.clientWidth) / 2);
  draw();
}

function blockTexts(fn, flow, stage) {
  const lines = linesBehind(fn, rowOfStage(stage));
  const { kept, text, places } = inlined(lines);
  const withOps = state.ops && flow.blocks.length <= MOST_BLOCKS_WITH_OPS;
  return flow.blocks.map(([name, start, count], number) => {
    if (!withOps) return [];
    const ops = kept.filter((id, at) => places[at] >= start + (number ? 1 : 0) && places[at] < start + count).map((id) => text(id).trim());
    const cut = ops.map((text) => (text.length > NODE_CHARS ? `${text.slice(0, NODE_CHARS - 1)}…` : text));
    return cut.length > OPS_SHOWN ? [...cut.slice(0, OPS_SHOWN - 2), `… ${cut.length - OPS_SHOWN + 1} more`, cut[cut.length - 1]] : cut;
  });
}

function graphPicture(fn, flow, stage, hottest) {
  const CHAR = 7.25, LINE = 16, PAD = 9;
  const texts = blockTexts(fn, flow, stage);
  const titles = flow.blocks.map((block) => `^${block[0]}   ×${block[3].toPrecision(3)}`);
  const sizes = texts.map((lines, number) => [
    Math.max(...lines.map((line) => line.length), titles[number].length) * CHAR + 2 * PAD, (lines.length + 1) * LINE + 2 * PAD,
  ]);
  const { nodes, edges, width, height } = placeBlocks(sizes, flow.blocks.map((block) => block[6].map(([target]) => target)));
  const margin = 30;
  const picture = svg("svg", { width: width + 2 * margin, height: height + 2 * margin, role: "img", "aria-label": `Control flow of ${fn.name}` });
  for (const kind of ["", "div"]) {
    picture.append(svg("defs", {}, svg("marker", { id: `arrow${kind}`, class: kind, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L10 5L0 10z" }))));
  }
  const all = svg("g", { transform: `translate(${margin} ${margin})` });
  picture.append(all);
  drawLoops(all, flow, nodes);
  nodes.forEach((node, number) => {
    const block = flow.blocks[number];
    const warm = hottest > 1 ? Math.max(0, Math.log(Math.max(block[3], 1)) / Math.log(hottest)) : 0;
    const group = svg("g", { class: "node", transform: `translate(${node.x - node.width / 2} ${node.y})`, "data-block": `^${block[0]}` });
    group.append(svg("rect", { width: node.width, height: node.height }),
      svg("rect", { class: "heat", width: node.width, height: node.height, style: `fill: rgb(var(--heat) / ${(0.45 * warm).toFixed(3)})` }),
      svg("text", { class: "name", x: PAD, y: PAD + 11 }, `^${block[0]}`),
      svg("text", { class: "soft", x: node.width - PAD, y: PAD + 11, "text-anchor": "end" }, `×${block[3].toPrecision(3)}`));
    texts[number].forEach((line, at) => group.append(svg("text", { x: PAD, y: PAD + 11 + LINE * (at + 1) }, line)));
    group.addEventListener("click", () => follow(`^${block[0]}`, "ir"));
    all.append(group);
  });
  for (const { from, to, index, points } of edges) {
    const block = flow.blocks[from];
    const count = block[6].length, share = block[6][index][1];
    const divergent = block[5] && count > 1;
    const line = svg("path", { class: divergent ? "edge div" : "edge", d: edgePath(points), "marker-end": `url(#arrow${divergent ? "div" : ""})` });
    line.append(svg("title", {}, `^${block[0]} → ^${flow.blocks[to][0]}: ${(100 * share).toFixed(1)}%${divergent ? ", divergent" : ""}`));
    all.append(line);
    if (count > 1) all.append(svg("text", { class: "soft", x: points[0].x + (points[1].x < points[0].x ? -36 : 6), y: points[0].y + 15 }, `${Math.round(100 * share)}%`));
  }
  return picture;
}

function drawLoops(all, flow, nodes) {
  flow.loops.forEach(([, , depth], number) => {
    const inside = (loop) => { for (; loop >= 0; loop = flow.loops[loop][1]) if (loop === number) return true; return false; };
    const members = nodes.filter((node) => inside(flow.blocks[node.block][4]));
    const pad = Math.max(6, 22 - 5 * depth);
    const left = Math.min(...members.map((n) => n.x - n.width / 2)) - pad, right = Math.max(...members.map((n) => n.x + n.width / 2)) + pad;
    const top = Math.min(...members.map((n) => n.y)) - pad, bottom = Math.max(...members.map((n) => n.y + n.height)) + pad;
    all.append(svg("rect", { class: "loop", x: left, y: top, width: right - left, height: bottom - top }, svg("title", {}, `loop, depth ${depth}`)));
  });
}

function markGraph() {
  for (const node of document.querySelectorAll("#graph .node")) node.classList.toggle("followed", isFollowed(node.dataset.block, "ir"));
}
