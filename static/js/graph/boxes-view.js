import { drawBox } from "./box-view.js";
import { wiresOf } from "./boxes-layout.js";
import { setRect } from "./set-rect-view.js";
import { svg } from "../shared/dom/elements.js";
/** @typedef {import("../walk/boxes.js").Box} Box */
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("./boxes-layout.js").Layout} Layout */
/** @typedef {import("./edge-widths.js").Flow} Flow */

/** Width of a way that has been walked forward. */
const FORWARD = 1.6;

/**
 * The boxes of a graph and the ways between them.
 * @param {HTMLElement} sheet @param {Walk} walk @param {Box[]} boxes @param {Map<string, Flow>} flows of single lines
 */
export function drawBoxes(sheet, walk, boxes, flows) {
  const drawn = boxes.map((box) => drawBox(walk, box));
  const wires = wiresOf(walk.document, boxes).map((wire) => ({
    ...wire,
    path: svg("path", {}),
    flow: flowBetween(wire, boxes, flows),
    was: "",
  }));
  const picture = svg("svg", { class: "graph-edges", "aria-hidden": "true" }, ...wires.map(({ path }) => path));
  sheet.prepend(picture, ...drawn.map(({ root }) => root));

  return {
    drawn,
    picture,
    wires,
    /** @param {Layout} layout @param {string|null} open */
    place({ width, height, boxes: rects, paths }, open) {
      picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
      for (const [i, { path }] of wires.entries()) path.setAttribute("d", paths[i]);
      for (const { box, root, setOpen } of drawn) {
        const rect = rects.get(box.key);
        if (rect) setRect(root, rect);
        setOpen(box.key === open);
      }
    },
    /** @param {boolean} shown */
    show(shown) {
      picture.toggleAttribute("hidden", !shown);
      for (const { root } of drawn) root.hidden = !shown;
    },
    /** @param {Frame} frame @param {string|null} open */
    update(frame, open) {
      for (const one of drawn) one.update(frame, one.box.key === open);
      for (const wire of wires) {
        const look = lookOf(wire, frame, boxes);
        if (look === wire.was) continue;
        wire.was = look;
        const [name, width] = look.split("|");
        wire.path.setAttribute("class", name);
        wire.path.style.setProperty("--wide", width);
      }
    },
  };
}

/**
 * @param {import("./boxes-layout.js").Wire} wire @param {Box[]} boxes @param {Map<string, Flow>} flows
 * @returns {Flow|null} the widest of the ways back along it, once the last of them has been walked
 */
function flowBetween({ from, to }, boxes, flows) {
  const [a, b] = [from, to].map((key) => boxes[Number(key) - 1].lines);
  const own = a.flatMap((name) => b.flatMap((reader) => flows.get(`${name}>${reader}`) ?? []));
  if (!own.length) return null;
  const widest = own.reduce((most, one) => (one.width > most.width ? one : most));
  return { ...widest, step: Math.min(...own.map(({ step }) => step)) };
}

/**
 * @param {{from: string, to: string, flow: Flow|null}} wire @param {Frame} frame @param {Box[]} boxes
 * @returns {string} class|width
 */
function lookOf({ from, to, flow }, { step, walk, known }, boxes) {
  if (step.direction === "backward") {
    if (!flow) return "still|1";
    return flow.step > known ? "ahead|1" : `flowed|${flow.width.toFixed(1)}`;
  }
  const made = walk.forwardIndex.get(boxes[Number(from) - 1].output) ?? -1;
  const into = walk.forwardIndex.get(boxes[Number(to) - 1].lines[0]) ?? Infinity;
  return into > step.index && made >= step.index ? "ahead|1" : `walked|${FORWARD}`;
}
