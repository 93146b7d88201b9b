import { numberText, toldApart } from "../shared/format.js";
import { numberIn } from "../shared/json-number.js";
import { counted } from "../shared/plural.js";
import { prose } from "../shared/prose-view.js";
import { el, svg } from "../shared/dom/elements.js";
import { lossRange } from "./loss-range.js";
/** @typedef {import("../compare/types.js").ExhibitPage} ExhibitPage */
/** @typedef {import("../compare/types.js").ExhibitRuns} ExhibitRuns */

const WIDTH = 640;
const HEIGHT = 160;
const RIM = 6;

/**
 * Two short runs of gradient descent: what each curve shows, where it ends, and what is to be said of it.
 * @param {HTMLElement} root @param {Pick<ExhibitPage, "runs"|"in_training">} page
 */
export function drawRuns(root, { runs, in_training: says }) {
  root.hidden = !runs && !says;
  root.replaceChildren(
    el("h2", {}, "In training"),
    ...(runs ? runParts(runs) : []),
    ...(says ? [el("p", {}, ...prose(says))] : []),
  );
}

/** @param {ExhibitRuns} runs */
function runParts(runs) {
  const curves = curvesOf(runs);
  const steps = runs.meant.length - 1;
  return [
    ...curveParts(curves, lossRange(curves)),
    el(
      "p",
      { class: "fact" },
      `${counted(steps, "step")} of gradient descent on these numbers, learning rate ${numberText(runs.rate)}.`,
    ),
    ...(runs.stopped ? [el("p", { class: "fact" }, ...prose(runs.stopped))] : []),
  ];
}

/** Runs that end apart by less than so many digits show are told as ending at one loss. */
const FELT = 6;

/** @typedef {{kind: string, words: string, losses: number[]}} Curve all of one length */

/**
 * Curves between two losses, and where each ends; what climbs higher leaves the picture at its top.
 * @param {Curve[]} curves @param {{least: number, most: number}} ends @returns {Element[]}
 */
export function curveParts(curves, { least, most }) {
  const steps = curves[0].losses.length - 1;
  const highest = most + (most - least);
  const ends = toldApart(curves.map(({ losses }) => Number((losses.at(-1) ?? NaN).toPrecision(FELT))));
  const lines = curves.map(({ losses, kind }) => {
    const drawn = losses.map((loss) => (loss > highest ? highest : loss));
    return svg("polyline", { class: `run is-${kind}`, points: pointsOf(drawn, steps, least, most) });
  });
  return [
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": spokenRuns(curves) }, ...lines),
    el("ul", { class: "run-ends" }, ...curves.map((curve, i) => endOf(curve, most, ends[i]))),
  ];
}

/** @param {ExhibitRuns} runs @returns {Curve[]} */
function curvesOf({ meant, written, judged }) {
  const own = { kind: "written", words: "as written, the loss that it shows", losses: written.map(numberIn) };
  const told = judged?.map(numberIn);
  const differs = told?.some((loss, i) => !(Math.abs(loss - own.losses[i]) <= 1e-6 * Math.abs(loss)));
  return [
    { kind: "meant", words: "as meant", losses: meant.map(numberIn) },
    own,
    ...(told && differs && told.some(Number.isFinite)
      ? [{ kind: "judged", words: "as written, by the loss that was meant", losses: told }]
      : []),
  ];
}

/** @param {number[]} losses @param {number} steps @param {number} least @param {number} most */
function pointsOf(losses, steps, least, most) {
  const across = (/** @type {number} */ i) => RIM + (i / steps) * (WIDTH - 2 * RIM);
  const down = (/** @type {number} */ loss) =>
    HEIGHT - RIM - ((loss - least) / (most - least || 1)) * (HEIGHT - 2 * RIM);
  return losses
    .flatMap((loss, i) => (Number.isFinite(loss) ? [`${across(i).toFixed(1)},${down(loss).toFixed(1)}`] : []))
    .join(" ");
}

/** @param {Curve} curve @param {number} most up to which loss it is drawn @param {string} end as it is told */
function endOf({ kind, words, losses }, most, end) {
  const top = Math.max(...losses.filter(Number.isFinite));
  const [begin, highest] = [losses[0], top].map((loss) => numberText(loss));
  const above = top > most ? `, and up to ${highest} on the way, above the picture` : "";
  return el("li", {}, el("i", { class: `run-key is-${kind}` }), `${words}: from ${begin} to `, el("b", {}, end), above);
}

/** @param {Curve[]} curves */
function spokenRuns(curves) {
  const told = curves.map(({ words, losses }) => {
    const [first, last] = toldApart([losses[0], losses.at(-1) ?? NaN]);
    return `${words}: from ${first} to ${last}`;
  });
  return `Loss along the steps. ${told.join("; ")}.`;
}
