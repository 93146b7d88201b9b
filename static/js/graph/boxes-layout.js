/** @typedef {import("../walk/boxes.js").Box} Box */
/** @typedef {import("../walk/types.js").WalkDocument} WalkDocument */
/** @typedef {import("./graph-layout.js").Rect} Rect */
/** @typedef {import("./graph-sizes.js").Room} Room */
/** From one box to another that goes on with what it makes. @typedef {{from: string, to: string}} Wire */
/**
 * Where the boxes are, what runs between them, and of the one that is open the room for its lines.
 * @typedef {{width: number, height: number, boxes: Map<string, Rect>, paths: string[], inside: Rect|null}} Layout
 */

/** Heights of a box, as multiples of the type: while all are closed, and beside one that is open. */
const CLOSED = { most: 8.4, least: 3.6 };
const BESIDE = { most: 4.4, least: 2.5 };
/** Between two boxes, the most and the least, and around all of them. */
const GAP = { most: 2.1, least: 0.7 };
const RIM = 6;
/** Above the lines of an open box, for its name; a pleasant height of a line, and the least in pixels. */
const HEADING = 2.1;
const PLEASANT = 2.6;
const LINE = 13;
/** What passes boxes by runs beside them. */
const ASIDE = 16;
/** Where the way runs down, from the left rim of a box: through the middle of its thumbnail, large or small. */
const WAY = { closed: 3, beside: 1.8 };

/** @param {WalkDocument} document @param {Box[]} boxes @returns {Wire[]} */
export function wiresOf({ nodes }, boxes) {
  const inputs = new Map(nodes.map((node) => [node.name, node.inputs]));
  const reads = (/** @type {Box} */ box, /** @type {Box} */ other) =>
    box.lines.some((line) => inputs.get(line)?.some((input) => other.lines.includes(input)));
  return boxes.flatMap((to, i) =>
    boxes.slice(0, i).flatMap((from) => (reads(to, from) ? [{ from: from.key, to: to.key }] : [])),
  );
}

/**
 * Boxes one below another; beside an open one the others are low.
 * @param {Box[]} boxes @param {Wire[]} wires @param {string|null} open @param {Room} room @returns {Layout}
 */
export function layOutBoxes(boxes, wires, open, room) {
  const { type } = room;
  const passing = wires.some(({ from, to }) => Number(to) - Number(from) > 1);
  const width = room.width - 2 * RIM - (passing ? ASIDE : 0);
  const opened = boxes.find(({ key }) => key === open);
  const { high, gap, tall } = opened ? beside(boxes, opened, room) : closed(boxes, room);
  const all = (boxes.length - (opened ? 1 : 0)) * high + (boxes.length - 1) * gap + (opened ? tall : 0);
  let top = Math.max(RIM, (room.height - all) / 2);
  /** @type {Map<string, Rect>} */
  const rects = new Map();
  for (const { key } of boxes) {
    const height = key === open ? tall : high;
    rects.set(key, { left: RIM, top, width, height });
    top += height + gap;
  }
  const frame = open === null ? undefined : rects.get(open);
  const heading = HEADING * type;
  return {
    width: room.width,
    height: Math.max(room.height, Math.round(all + 2 * RIM)),
    boxes: rects,
    paths: wires.map((wire) => pathOf(wire, rects, (opened ? WAY.beside : WAY.closed) * type)),
    inside: frame ? { ...frame, top: frame.top + heading, height: frame.height - heading } : null,
  };
}

/** @typedef {{high: number, gap: number, tall: number}} Heights of a closed box, between two, of the open one */

/** @param {Box[]} boxes @param {Room} room @returns {Heights} where none is open */
function closed({ length }, { height, type }) {
  const [room, gaps] = [height - 2 * RIM, Math.max(1, length - 1)];
  const gap = within(GAP, type, (0.18 * room) / gaps);
  return { high: within(CLOSED, type, (room - gaps * gap) / length), gap, tall: 0 };
}

/** @param {Box[]} boxes @param {Box} opened @param {Room} room @returns {Heights} */
function beside({ length }, { lines }, { height, type }) {
  const [room, others] = [height - 2 * RIM, length - 1];
  const gap = within({ least: GAP.least, most: 1 }, type, (0.1 * room) / others);
  const wanted = (HEADING + PLEASANT * lines.length + 2) * type;
  const high = within(BESIDE, type, (room - others * gap - wanted) / others);
  const least = HEADING * type + LINE * lines.length + 2 * RIM;
  return { high, gap, tall: Math.max(least, Math.min(wanted, room - others * (high + gap))) };
}

/** @param {{least: number, most: number}} bounds @param {number} type @param {number} wanted */
function within({ least, most }, type, wanted) {
  return Math.max(least * type, Math.min(most * type, wanted));
}

/** @param {Wire} wire @param {Map<string, Rect>} rects @param {number} way @returns {string} the path of an SVG */
function pathOf({ from, to }, rects, way) {
  const [a, b] = [rects.get(from), rects.get(to)];
  if (!a || !b) return "";
  if (Number(to) - Number(from) === 1) return `M${a.left + way} ${a.top + a.height}V${b.top}`;
  const [x, out] = [a.left + a.width, a.left + a.width + 1.5 * ASIDE];
  const [start, end] = [a.top + 0.7 * a.height, b.top + 0.3 * b.height];
  return `M${x} ${start}C${out} ${start} ${out} ${end} ${x} ${end}`;
}
