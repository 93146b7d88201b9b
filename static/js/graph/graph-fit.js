/** @typedef {import("../walk/types.js").Box} Box */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** @typedef {{left: number, top: number, width: number, height: number}} Rect */
/** @typedef {{scale: {x: number, y: number}, width: number, height: number, zoom: number, nodes: Map<string, Rect>,
 *   groups: {name: string, rect: Rect, label: Rect}[]}} Fitted */

const FONT = 10.5;
const GLYPH = 0.605 * FONT;
const CHROME = { node: 48, input: 44, bare: 30 };
const HEIGHT = 26;
const GAP = 6;
/** From one row to the next: as much as is pleasant, and as little as leaves its line to be seen. */
const ROW = { most: 40, least: 32 };
const MARGIN = 8;
/** What is too wide is drawn smaller, down to where its names can still be read. */
const SMALLEST = 0.78;
const LABEL = { glyph: 5.7, line: 12 };

/**
 * dot's positions, drawn closer together: names keep their size while the room between them shrinks.
 * @param {WalkDocument} walk @param {number} room width there is @param {number} [tall] height there is
 * @returns {Fitted}
 */
export function fitGraph(walk, room, tall = Infinity) {
  const { graph } = walk;
  const nodes = walk.nodes.flatMap((node) => (node.position ? [{ ...node, position: node.position }] : []));
  const widths = new Map(nodes.map((node) => [node.name, widthOf(node)]));
  const x = Math.max(neededX(nodes, widths), Math.min(1.15, (room - 2 * MARGIN) / graph.width));
  const needed = neededY(nodes);
  const y = Math.max(
    needed * ROW.least,
    Math.min(Math.max(needed * ROW.most, 0.5), (tall - 2 * MARGIN) / graph.height),
  );
  const rects = new Map(nodes.map((node) => [node.name, rectOf(node.position, widths.get(node.name) ?? 80, x, y)]));
  pushApart(nodes.filter((node) => node.role !== "intermediate").flatMap((node) => rects.get(node.name) ?? []));
  const paths = walk.edges.map((edge) => edge.path.map(([px, py]) => [px * x + MARGIN, py * y + MARGIN]));
  const boxes = walk.groups.map((group) => ({
    name: group.name,
    rect: around(group.nodes.flatMap((name) => rects.get(name) ?? [])),
  }));
  const edge = Math.max(...[...rects.values()].map((rect) => rect.left + rect.width));
  const groups = boxes.map((box) => ({
    ...box,
    label: labelFor(box.name, box.rect, [...rects.values()], paths, Math.max(room - 6, edge)),
  }));
  const right = Math.max(edge, ...boxes.map((box) => box.rect.left + box.rect.width));
  const width = right + MARGIN;
  const height = graph.height * y + 2 * MARGIN;
  const zoom = Math.max(SMALLEST, Math.min(1, room / width, tall / height));
  return { scale: { x, y }, width, height, zoom, nodes: rects, groups };
}

export const ORIGIN = MARGIN;

/** @param {{variable: string, role: string, gradient: unknown}} node @returns {number} */
function widthOf(node) {
  const chrome = node.role === "intermediate" ? CHROME.node : node.gradient ? CHROME.input : CHROME.bare;
  return Math.ceil(node.variable.length * GLYPH) + chrome;
}

/**
 * @param {{name: string, role: string, position: Box}[]} nodes @param {Map<string, number>} widths
 * @returns {number} smallest scale at which no name of a line meets another
 */
function neededX(nodes, widths) {
  let needed = 0.3;
  for (const [i, a] of nodes.entries()) {
    for (const b of nodes.slice(i + 1)) {
      if (Math.abs(a.position.y - b.position.y) > a.position.height * 0.9) continue;
      const apart = Math.abs(a.position.x - b.position.x);
      const need = ((widths.get(a.name) ?? 0) + (widths.get(b.name) ?? 0)) / 2 + GAP;
      if (apart > 1 && (a.role === "intermediate" || b.role === "intermediate"))
        needed = Math.max(needed, need / apart);
    }
  }
  return Math.min(needed, 1.6);
}

/** @param {Rect[]} rects inputs that stand side by side: the right one gives way */
function pushApart(rects) {
  rects.sort((a, b) => a.left - b.left);
  for (const [i, rect] of rects.entries()) {
    for (const left of rects.slice(0, i)) {
      if (Math.abs(left.top - rect.top) < HEIGHT) rect.left = Math.max(rect.left, left.left + left.width + GAP);
    }
  }
}

/** @param {{position: Box}[]} nodes @returns {number} the scale at which the closest rows are one apart */
function neededY(nodes) {
  const rows = [...new Set(nodes.map((node) => Math.round(node.position.y)))].sort((a, b) => a - b);
  const gaps = rows
    .slice(1)
    .map((row, i) => row - rows[i])
    .filter((gap) => gap > 20);
  return gaps.length ? 1 / Math.min(...gaps) : 1 / ROW.most;
}

/** @param {Box} position @param {number} width @param {number} x @param {number} y @returns {Rect} */
function rectOf(position, width, x, y) {
  return {
    left: position.x * x - width / 2 + MARGIN,
    top: position.y * y - HEIGHT / 2 + MARGIN,
    width,
    height: HEIGHT,
  };
}

/** @param {Rect[]} rects @returns {Rect} */
function around(rects) {
  const left = Math.min(...rects.map((rect) => rect.left)) - 8;
  const top = Math.min(...rects.map((rect) => rect.top)) - 5;
  const right = Math.max(...rects.map((rect) => rect.left + rect.width)) + 8;
  const bottom = Math.max(...rects.map((rect) => rect.top + rect.height)) + 5;
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * A place for a group's name where neither a node nor an edge is: in a corner of its box, or beside it.
 * @param {string} name @param {Rect} box @param {Rect[]} nodes @param {number[][][]} paths
 * @param {number} right how far it may reach @returns {Rect}
 */
function labelFor(name, box, nodes, paths, right) {
  const points = paths.flatMap(sampled);
  const free = candidates(name, box).filter(
    (rect) => rect.left >= 2 && rect.left + rect.width <= right && !nodes.some((node) => overlap(rect, node)),
  );
  const cost = (/** @type {Rect} */ rect) => points.filter(([px, py]) => inside(rect, px, py)).length;
  return free.sort((a, b) => cost(a) - cost(b))[0] ?? candidates(name, box)[0];
}

/** @param {string} name @param {Rect} box @returns {Rect[]} best first */
function candidates(name, box) {
  const places = [];
  for (const lines of [1, 2, 3]) {
    const width = Math.max(...wrapped(name, lines).map((line) => line.length)) * LABEL.glyph + 8;
    const height = lines * LABEL.line + 4;
    const [right, bottom] = [box.left + box.width, box.top + box.height];
    const tops = [bottom - height - 5, box.top + 4];
    for (const top of tops)
      places.push({ left: box.left + 6, top, width, height }, { left: right - width - 6, top, width, height });
    for (const top of tops)
      places.push({ left: box.left - width - 4, top, width, height }, { left: right + 4, top, width, height });
  }
  return places;
}

/** @param {string} name @param {number} lines @returns {string[]} */
function wrapped(name, lines) {
  const words = name.split(" ");
  const each = Math.ceil(words.length / lines);
  return Array.from({ length: lines }, (_, i) => words.slice(i * each, (i + 1) * each).join(" ")).filter(Boolean);
}

/** @param {number[][]} path @returns {number[][]} points along the curves */
function sampled(path) {
  const points = [];
  for (let i = 0; i + 3 < path.length; i += 3) {
    for (let t = 0; t <= 1; t += 0.1)
      points.push(
        [0, 1].map((axis) =>
          bezier(
            path.slice(i, i + 4).map((point) => point[axis]),
            t,
          ),
        ),
      );
  }
  return points;
}

/** @param {number[]} p @param {number} t */
function bezier([a, b, c, d], t) {
  const u = 1 - t;
  return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
}

/** @param {Rect} a @param {Rect} b */
function overlap(a, b) {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

/** @param {Rect} rect @param {number} x @param {number} y */
function inside(rect, x, y) {
  return x >= rect.left && x <= rect.left + rect.width && y >= rect.top && y <= rect.top + rect.height;
}
