import { svg } from "../shared/dom/elements.js";
import { mountPulses } from "./pulse-view.js";
/** @typedef {import("../walk/frame.js").Frame} Frame */
/** @typedef {import("./edge-widths.js").Flow} Flow */
/** @typedef {import("./graph-layout.js").Layout} Layout */

/** Width of an edge that is walked on the way forward. */
const FORWARD = 2.4;

/**
 * Lines from what is read to what reads it: dashed until they have been walked, then as wide as their gradient.
 * @param {{from: string, to: string, leftwards?: boolean}[]} edges `leftwards`: drawn from what reads to what is read
 * @param {Map<string, Flow>} flows
 */
export function drawEdges(edges, flows) {
  const lines = edges.map((edge) => ({ edge, path: svg("path", {}), was: "" }));
  const picture = svg("svg", { class: "graph-edges", "aria-hidden": "true" }, ...lines.map(({ path }) => path));
  const pulses = mountPulses(picture);
  return {
    picture,
    /** @param {import("./graph-layout.js").Rect} view @param {string[]} paths one for each edge */
    place({ left, top, width, height }, paths) {
      picture.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
      for (const [i, { path }] of lines.entries()) path.setAttribute("d", paths[i]);
    },
    /** @param {import("../walk/types.js").Step} step that is walked @param {import("./pulse-view.js").How} how */
    pulse(step, how) {
      const walked = lines.flatMap(({ edge, path }) => {
        const forward = step.direction === "forward";
        const flow = flows.get(`${edge.from}>${edge.to}`);
        if (forward ? edge.to !== step.node : flow?.step !== step.index) return [];
        const width = forward ? FORWARD : (flow?.width ?? 1);
        return [{ path, width, along: forward !== Boolean(edge.leftwards) }];
      });
      pulses.send(walked, step.direction, how);
    },
    /** @param {Frame} frame */
    update(frame) {
      for (const line of lines) {
        const look = edgeLook(line.edge, frame, flows);
        if (look === line.was) continue;
        line.was = look;
        const [name, width] = look.split("|");
        line.path.setAttribute("class", name);
        line.path.style.setProperty("--wide", width);
      }
    },
  };
}

/**
 * @param {{from: string, to: string}} edge @param {Frame} frame @param {Map<string, Flow>} flows
 * @returns {string} class|width
 */
function edgeLook(edge, frame, flows) {
  const { step, walk, known } = frame;
  if (step.direction === "forward") {
    const made = walk.forwardIndex.get(edge.to) ?? -1;
    const now = made === step.index && !frame.inspecting ? " now" : "";
    return made > step.index ? "ahead|1" : `walked${now}|${now ? FORWARD : 1.6}`;
  }
  const flow = flows.get(`${edge.from}>${edge.to}`);
  if (!flow) return "still|1";
  const now = flow.step === step.index ? " now" : "";
  return flow.step > known ? `ahead${now}|1` : `flowed${now}|${flow.width.toFixed(1)}`;
}
