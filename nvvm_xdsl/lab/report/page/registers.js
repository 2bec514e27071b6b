// Register pressure along the PTX, with the limits of occupancy and what ptxas takes.
function drawRegisters(view) {
  const fn = functions[state.fn];
  const cost = data.costs.occupancy.find((one) => one.function === fn.name);
  const stage = make("div", { class: "stage", tabIndex: 0 });
  view.replaceChildren(stage);
  if (!fn.pressure.length) { stage.append(make("div", { class: "empty" }, "There is no machine code of it.")); return; }
  const most = Math.max(...fn.pressure.map(([, n]) => n));
  const where = fn.pressure.find(([, n]) => n === most)[0];
  const steps = cost?.register_steps || [];
  const top = Math.max(most, cost?.registers || 0, steps[0]?.amount || 0) * 1.15 + 2;
  const width = Math.max(720, stage.clientWidth - 60), height = 380, left = 44, bottom = 34;
  const first = fn.ptx[0], count = Math.max(1, fn.ptx[1] - first);
  const x = (line) => left + ((line - first) / count) * (width - left - 150);
  const y = (n) => height - bottom - (n / top) * (height - bottom - 14);
  const picture = svg("svg", { width, height, role: "img", "aria-label": "Register pressure" });
  for (let n = 0; n <= top; n += top > 120 ? 32 : top > 50 ? 16 : 8) {
    picture.append(svg("line", { class: "axis", x1: left, x2: x(first + count), y1: y(n), y2: y(n) }), svg("text", { class: "soft", x: left - 8, y: y(n) + 4, "text-anchor": "end" }, String(n)));
  }
  let curve = "", at = null;
  for (const [line, n] of fn.pressure) { curve += at === null ? `M${x(line)} ${y(n)}` : `H${x(line)}V${y(n)}`; at = n; }
  curve += `H${x(fn.ptx[1] - 1)}`;
  picture.append(svg("path", { class: "area", d: `${curve}V${y(0)}H${x(fn.pressure[0][0])}Z` }), svg("path", { class: "curve", d: curve }));
  for (const step of steps) {
    if (step.amount > top) continue;
    picture.append(svg("line", { class: "limit", x1: left, x2: x(first + count), y1: y(step.amount), y2: y(step.amount) }),
      svg("text", { x: x(first + count) + 6, y: y(step.amount) + 4 }, `≤ ${step.amount}: ${step.warps} warps`));
  }
  if (cost?.measured) {
    picture.append(svg("line", { class: "used", x1: left, x2: x(first + count), y1: y(cost.registers), y2: y(cost.registers) }),
      svg("text", { x: left + 8, y: y(cost.registers) - 6 }, `ptxas takes ${cost.registers}`));
  }
  picture.append(svg("text", { class: "soft", x: left, y: height - 8 }, "lines of the PTX; 32-bit registers that are live behind each instruction. Click one to see it."));
  picture.addEventListener("click", (event) => {
    const line = Math.round(first + ((event.offsetX - left) / (width - left - 150)) * count);
    showPtx(Math.max(first, Math.min(fn.ptx[1] - 1, line)));
  });
  const tip = make("div", { class: "tip code", hidden: true });
  picture.addEventListener("mousemove", (event) => {
    const line = Math.round(first + ((event.offsetX - left) / (width - left - 150)) * count);
    const point = fn.pressure.filter(([one]) => one <= line).pop();
    tip.hidden = !point;
    if (!point) return;
    tip.textContent = `${point[1]} live behind  ${data.ptx[point[0]].trim()}`;
    tip.style.left = `${event.clientX + 14}px`;
    tip.style.top = `${event.clientY + 14}px`;
  });
  picture.addEventListener("mouseleave", () => { tip.hidden = true; });
  stage.append(make("h2", {}, `Register pressure of ${fn.name}: at most ${most}`),
    make("p", { class: "soft" }, "The most are live behind ", make("button", { class: "link code", onclick: () => showPtx(where) }, data.ptx[where].trim())),
    picture, tip, ...(cost ? [make("h2", {}, "Occupancy"), occupancyCard(cost)] : []));
}

// A line of the PTX in the columns of code: pinned by its line of the source where it has one.
function showPtx(line) {
  state.line = data.ptxNumbers[line] ? [data.ptxFiles[line], data.ptxNumbers[line]] : null;
  show("code");
  const column = columns.find((one) => one.kind === "ptx");
  column?.list?.reveal(line - functions[state.fn].ptx[0], true);
  column?.list?.drawn.get(line - functions[state.fn].ptx[0])?.classList.add("target");
}

function occupancyCard(cost) {
  const share = cost.most_warps ? (100 * cost.warps) / cost.most_warps : 0;
  const meter = make("i");
  meter.style.width = `${share}%`;
  const steps = (list, unit) => list.map((step) => `≤ ${step.amount}${unit}: ${step.warps}`).join(" · ");
  return make("div", { class: "card" },
    make("h3", {}, cost.function),
    make("div", { class: "big" }, `${cost.warps} of ${cost.most_warps} warps`), make("div", { class: "meter" }, meter),
    make("div", {}, `${cost.blocks} blocks of ${cost.threads} threads${cost.stated ? "" : " (assumed: the kernel states no bound)"}`),
    make("div", {}, `${cost.registers} registers${cost.measured ? ", says ptxas" : ", the most live in the PTX"}; ${cost.shared} bytes of shared memory`),
    make("div", {}, make("b", {}, cost.advice)),
    make("div", { class: "soft" }, `warps by registers: ${steps(cost.register_steps, "")}`),
    make("div", { class: "soft" }, `warps by shared memory: ${steps(cost.shared_steps, " B")}`));
}
