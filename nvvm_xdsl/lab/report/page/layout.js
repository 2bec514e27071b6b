// Places the blocks of a control-flow graph in ranks, as Sugiyama, Tagawa and Toda do: a rank for each
// block by its longest way from the entry, long edges cut by empty nodes, and the order within a rank
// by where the neighbours are.
const GAP_X = 28, GAP_Y = 44, SWEEPS = 8;

// sizes: width and height of each block; edges: lists of targets. Blocks are in reverse post-order, so
// that an edge to a block that is not behind its source goes back.
function placeBlocks(sizes, targets) {
  const rank = sizes.map(() => 0);
  targets.forEach((list, block) => { for (const target of list) if (target > block) rank[target] = Math.max(rank[target], rank[block] + 1); });
  const nodes = sizes.map(([width, height], block) => ({ block, width, height, rank: rank[block], up: [], down: [], x: 0 }));
  const edges = [];
  targets.forEach((list, block) => list.forEach((target, index) => {
    const edge = { from: block, to: target, index, back: target <= block, via: [] };
    edges.push(edge);
    if (edge.back) return;
    let last = nodes[block];
    for (let at = rank[block] + 1; at < rank[target]; at++) {
      const empty = { block: -1, width: 12, height: 0, rank: at, up: [last], down: [], x: 0 };
      last.down.push(empty);
      nodes.push(empty);
      edge.via.push(empty);
      last = empty;
    }
    last.down.push(nodes[target]);
    nodes[target].up.push(last);
  }));
  const ranks = [];
  for (const node of nodes) (ranks[node.rank] ??= []).push(node);
  const mean = (list) => list.reduce((sum, node) => sum + node.x, 0) / list.length;
  const pack = (row) => {
    let x = 0;
    for (const node of row) { node.x = x + node.width / 2; x += node.width + GAP_X; }
    const shift = (x - GAP_X) / 2;
    for (const node of row) node.x -= shift;
  };
  ranks.forEach(pack);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? ranks : [...ranks].reverse()) {
      const wish = new Map(row.map((node) => [node, (down ? node.up : node.down).length ? mean(down ? node.up : node.down) : node.x]));
      row.sort((a, b) => wish.get(a) - wish.get(b));
      pack(row);
      settle(row, wish);
    }
  }
  let y = 0;
  for (const row of ranks) {
    const height = Math.max(...row.map((node) => node.height));
    for (const node of row) node.y = y;
    y += height + GAP_Y;
  }
  const left = Math.min(...nodes.map((node) => node.x - node.width / 2));
  for (const node of nodes) node.x -= left;
  const width = Math.max(...nodes.map((node) => node.x + node.width / 2));
  return { nodes: nodes.slice(0, sizes.length), edges, width, height: y - GAP_Y };
}

// Moves nodes of a row, in order and without overlap, towards where they want to be.
function settle(row, wish) {
  const gap = (a, b) => (a.width + b.width) / 2 + GAP_X;
  for (let turn = 0; turn < 4; turn++) {
    for (let at = 0; at < row.length; at++) {
      const node = row[at];
      const low = at ? row[at - 1].x + gap(row[at - 1], node) : -Infinity;
      const high = at + 1 < row.length ? row[at + 1].x - gap(node, row[at + 1]) : Infinity;
      node.x = Math.max(low, Math.min(Math.max(high, low), wish.get(node)));
      for (let next = at + 1; next < row.length; next++) {
        const least = row[next - 1].x + gap(row[next - 1], row[next]);
        if (row[next].x < least) row[next].x = least; else break;
      }
    }
  }
}
