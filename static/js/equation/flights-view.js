import { slot, table } from "../shared/colour-scale.js";
import { el } from "../shared/dom/elements.js";
import { run } from "../shared/dom/motion.js";
import { sheetOf, whole } from "./flights.js";
/** @typedef {import("./cell-pairs.js").Rect} Rect */
/** @typedef {import("./items.js").Piece} Piece */
/** @typedef {import("./flights.js").Motion} Motion */
/** @typedef {import("./flights.js").Flight} Flight */
/** @typedef {import("../shared/colour-scale.js").Theme} Theme */
/** @typedef {{picture: HTMLElement, max: number}} Drawn a piece's canvas, or its one number, and its colour scale */
/**
 * `flight` has a share of its way behind it: 0 to 1.
 * @typedef {{duration: number, backwards: boolean, elapsed?: number, theme: Theme}} How
 */
/** @typedef {{left: number, top: number, width: number, height: number}} Box in pixels of the scene */

/** Told to whoever listens when a motion begins: what goes from where to where, in pixels of the window. */
const BEGINS = "gradwalk:motion";

/**
 * Plays a motion over a scene that is drawn already; the scene itself stays as it is.
 * @param {HTMLElement} scene @param {Map<Piece, Drawn>} drawn @param {Motion} motion @param {How} how
 * @returns {() => void} ends it at once: everything is where it belongs
 */
export function playFlights(scene, drawn, motion, how) {
  const sheet = el("canvas", { class: "flights", "aria-hidden": "true" });
  const covered = how.backwards ? [] : motion.covered.flatMap((piece) => drawn.get(piece)?.picture ?? []);
  covered.forEach((picture) => picture.classList.add("awaiting"));
  /** @type {((time: number) => void)|null} */
  let paint = null;
  const stop = run(how.duration, (time) => (paint ??= begin())(time), { ...how, ended: leave });

  function begin() {
    scene.append(sheet);
    const places = placesOf(scene, drawn);
    document.dispatchEvent(new CustomEvent(BEGINS, { detail: { ...told(scene, motion, places), ...how } }));
    return painter(sheet, scene, { drawn, motion, how, places });
  }

  function leave() {
    sheet.remove();
    covered.forEach((picture) => picture.classList.remove("awaiting"));
  }
  return () => {
    stop();
    leave();
  };
}

/** @typedef {{duration: number, backwards: boolean}} Wish how a motion is to be played */

/**
 * A motion that goes on where it was when its scene is drawn anew.
 * @param {() => number} step that is shown @param {(how: Wish & {elapsed: number}) => (() => void)|null} start
 */
export function resumable(step, start) {
  /** @type {{how: Wish, began: number, step: number}|null} */
  let playing = null;
  /** @type {(() => void)|null} */
  let stop = null;
  function resume() {
    const elapsed = playing && playing.step === step() ? performance.now() - playing.began : Infinity;
    if (!playing || elapsed >= playing.how.duration) playing = null;
    else if (!(stop = start({ ...playing.how, elapsed }))) playing = null;
  }
  function pause() {
    stop?.();
    stop = null;
  }
  return {
    resume,
    pause,
    /** @param {Wish} how */
    play: (how) => {
      pause();
      playing = { how, began: performance.now(), step: step() };
      resume();
    },
  };
}

/** @param {HTMLElement} scene @param {Map<Piece, Drawn>} drawn @returns {Map<Piece, Box>} */
function placesOf(scene, drawn) {
  const origin = scene.getBoundingClientRect();
  return new Map(
    [...drawn].map(([piece, { picture }]) => {
      const { left, top, width, height } = picture.getBoundingClientRect();
      return [piece, { left: left - origin.left, top: top - origin.top, width, height }];
    }),
  );
}

/** @param {Map<Piece, Box>} places @param {Piece} piece @param {Rect} rect @returns {Box} */
function boxOf(places, piece, { x, y, w, h }) {
  const { left, top, width, height } = /** @type {Box} */ (places.get(piece));
  const { rows, cols } = sheetOf(piece);
  const [across, down] = [width / cols, height / rows];
  return { left: left + x * across, top: top + y * down, width: w * across, height: h * down };
}

/** @param {HTMLElement} scene @param {Motion} motion @param {Map<Piece, Box>} places */
function told(scene, motion, places) {
  const { left, top } = scene.getBoundingClientRect();
  const inWindow = (/** @type {Box} */ box) => ({ ...box, left: box.left + left, top: box.top + top });
  return {
    kinds: motion.kinds,
    flights: motion.flights.map(({ from, to, source, target, start, end }) => ({
      ...{ from: from.label, to: to.label, source, target, start, end },
      leaves: inWindow(boxOf(places, from, source)),
      lands: inWindow(boxOf(places, to, target)),
    })),
  };
}

/**
 * @param {HTMLCanvasElement} sheet @param {HTMLElement} scene
 * @param {{drawn: Map<Piece, Drawn>, motion: Motion, how: How, places: Map<Piece, Box>}} all
 * @returns {(time: number) => void} paints one moment
 */
function painter(sheet, scene, { drawn, motion, how, places }) {
  const ratio = Math.min(2, devicePixelRatio || 1);
  const { width, height } = scene.getBoundingClientRect();
  [sheet.width, sheet.height] = [Math.ceil(width * ratio), Math.ceil(height * ratio)];
  sheet.style.width = `${sheet.width / ratio}px`;
  sheet.style.height = `${sheet.height / ratio}px`;
  const pen = /** @type {CanvasRenderingContext2D} */ (sheet.getContext("2d"));
  pen.scale(ratio, ratio);
  const ways = motion.flights.map((flight) => ({
    flight,
    leaves: boxOf(places, flight.from, flight.source),
    lands: boxOf(places, flight.to, flight.target),
  }));
  const stamp = stamper(pen, drawn);
  const sums = growing(motion, drawn, how.theme);
  return (time) => {
    pen.clearRect(0, 0, width, height);
    pen.imageSmoothingEnabled = false;
    pen.globalAlpha = 1;
    if (!how.backwards) {
      for (const { piece, rect, at } of motion.reveals) if (at <= time) stamp(piece, rect, boxOf(places, piece, rect));
      for (const [piece, image] of sums(time)) {
        const { left, top, width: across, height: down } = boxOf(places, piece, whole(piece));
        pen.drawImage(image, left, top, across, down);
      }
    }
    for (const { flight, leaves, lands } of ways) {
      if (flight.start > time || flight.end <= time) continue;
      const way = eased((time - flight.start) / (flight.end - flight.start));
      pen.globalAlpha = 0.9;
      stamp(flight.from, flight.source, between(leaves, lands, way));
    }
  };
}

/** @param {number} t @returns {number} */
function eased(t) {
  return t * t * (3 - 2 * t);
}

/** @param {Box} a @param {Box} b @param {number} way @returns {Box} */
function between(a, b, way) {
  const part = (/** @type {keyof Box} */ key) => a[key] + (b[key] - a[key]) * way;
  return { left: part("left"), top: part("top"), width: part("width"), height: part("height") };
}

/** @param {CanvasRenderingContext2D} pen @param {Map<Piece, Drawn>} drawn */
function stamper(pen, drawn) {
  /** @type {Map<Piece, string>} of a single number, which stands on no canvas */
  const colours = new Map();
  for (const [piece, { picture }] of drawn) {
    if (!(picture instanceof HTMLCanvasElement)) colours.set(piece, getComputedStyle(picture).backgroundColor);
  }
  /** @param {Piece} piece @param {Rect} rect of its cells @param {Box} box where they are painted */
  return (piece, { x, y, w, h }, { left, top, width, height }) => {
    const picture = drawn.get(piece)?.picture;
    if (picture instanceof HTMLCanvasElement) {
      const { rows, cols } = sheetOf(piece);
      const [across, down] = [picture.width / cols, picture.height / rows];
      pen.drawImage(picture, x * across, y * down, w * across, h * down, left, top, width, height);
    } else {
      pen.fillStyle = colours.get(piece) ?? "";
      pen.fillRect(left, top, width, height);
    }
  };
}

/**
 * Sums as they are after all that has arrived: only cells that something has arrived at are seen.
 * @param {Motion} motion @param {Map<Piece, Drawn>} drawn @param {Theme} theme
 * @returns {(time: number) => Map<Piece, HTMLCanvasElement>}
 */
function growing({ arrivals }, drawn, theme) {
  /** @type {Map<Piece, HTMLCanvasElement>} */
  const images = new Map();
  /** @type {Map<Piece, {sums: Float64Array, image: ImageData}>} */
  const made = new Map();
  for (const { piece } of arrivals) {
    if (made.has(piece)) continue;
    const { rows, cols } = sheetOf(piece);
    images.set(piece, el("canvas", { width: cols, height: rows }));
    made.set(piece, { sums: new Float64Array(rows * cols), image: new ImageData(cols, rows) });
  }
  let next = 0;
  return (time) => {
    const changed = new Set();
    for (; next < arrivals.length && arrivals[next].at <= time; next += 1) {
      const { piece, cells, values } = arrivals[next];
      const { sums, image } = /** @type {{sums: Float64Array, image: ImageData}} */ (made.get(piece));
      cells.forEach((cell, i) => colour(image, cell, (sums[cell] += values[i]), drawn.get(piece)?.max ?? 0, theme));
      changed.add(piece);
    }
    for (const piece of changed) {
      const image = made.get(piece)?.image;
      if (image) images.get(piece)?.getContext("2d")?.putImageData(image, 0, 0);
    }
    return images;
  };
}

/** @param {ImageData} image @param {number} cell @param {number} value @param {number} max @param {Theme} theme */
function colour(image, cell, value, max, theme) {
  const at = slot(value, max) * 3;
  image.data.set(table(theme).subarray(at, at + 3), cell * 4);
  image.data[cell * 4 + 3] = 255;
}
