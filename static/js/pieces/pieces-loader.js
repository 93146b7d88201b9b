import { asApiError, calm } from "../shared/api.js";
import { latest } from "../shared/latest.js";
import { ask } from "../walk/walk-api.js";
/** @typedef {import("./pieces.js").Offer} Offer */
/** @typedef {import("../walk/types.js").Problem} Problem */

/** Milliseconds: the walk itself comes first, and whoever leafs through a piece's settings asks where they stop. */
const CALM = 60;

/**
 * The pieces of one walk: which there are, asked for once, and each of them when it is first looked at.
 * @param {Pick<import("../walk/walk.js").Walk, "request">} walk @param {() => void} changed the list has arrived
 */
export function makePiecesLoader(walk, changed = () => undefined) {
  const [listing, looking] = [latest(), latest()];
  /** @type {Offer[]|null} */
  let offers = null;
  let asked = false;
  /** @type {Map<string, any>} by kind, tensor and settings */
  const kept = new Map();

  return {
    /** @returns {Offer[]|null} null while they are on their way */
    get offers() {
      return offers;
    },
    /** Asks which pieces there are, once. */
    list: () => {
      if (asked) return;
      asked = true;
      listing.ask((signal) => ask("/api/pieces", walk, {}, signal), {
        arrived(answer) {
          offers = answer.pieces;
          changed();
        },
        failed() {
          offers = []; // the walk goes on without them
          changed();
        },
      });
    },
    /** @param {string} kind @param {object} question @returns {any} what is known of it already, or null */
    known: (kind, question) => kept.get(keyOf(kind, question)) ?? null,
    /**
     * @param {string} kind @param {object} question its tensor, and settings where it has some
     * @param {{arrived: (made: any) => void, failed: (problem: Problem) => void}} hears
     */
    load(kind, question, hears) {
      looking.ask(
        async (signal) => {
          await calm(CALM);
          signal.throwIfAborted();
          return ask(`/api/${kind}`, walk, question, signal);
        },
        {
          arrived(made) {
            kept.set(keyOf(kind, question), made);
            hears.arrived(made);
          },
          failed: (error) => hears.failed(asApiError(error, "Reload it.").problem),
        },
      );
    },
    unmount() {
      listing.stop();
      looking.stop();
    },
  };
}

/** @param {string} kind @param {object} question */
function keyOf(kind, question) {
  return `${kind} ${JSON.stringify(question)}`;
}
