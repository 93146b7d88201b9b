import { GRADES, checked, hinted, isBlank, shown, stands, typed } from "../practice/attempts.js";
import { moved, nextDeck } from "../practice/boxes.js";
import { makeCheckLoader } from "../practice/check-loader.js";
import { replyWords } from "../practice/spoken-reply.js";
import { spoken } from "../shared/prose.js";
import { keepBoxes, restoredBoxes } from "../progress/progress-storage-controller.js";
import { deckOf } from "./deck.js";
import { advanced, atOnce, cardOf, started, written } from "./session.js";
/** @typedef {import("./deck.js").Drill} Drill */
/** @typedef {import("../practice/attempts.js").Reply} Reply */
/** @typedef {import("../walk/types.js").Problem} Problem */
/** `printed`: the line as gradwalk writes it, once the reader's is right. */
/** @typedef {{reply: Reply|null, busy: boolean, problem: Problem|null, printed: string}} Standing */

/** @type {Standing} */
const FRESH = { reply: null, busy: false, problem: null, printed: "" };

/** The cards of a deck, one after the other: what is typed, checked, hinted and shown of the one in hand. */
export class Cards {
  #loader = makeCheckLoader();
  #standing = FRESH;

  /**
   * @param {Drill[]} drills @param {import("./address.js").Asked} asked
   * @param {{changed: () => void, opened: () => void, say: (words: string) => void}} hears `opened`: another card is in
   *   hand, or none
   */
  constructor(drills, { seed, most }, hears) {
    this.hears = hears;
    this.boxes = nextDeck(restoredBoxes());
    this.session = started(deckOf(drills, this.boxes, seed ?? 0, most));
  }

  /** The card in hand; null at the end. */
  get card() {
    return cardOf(this.session);
  }

  get standing() {
    return { ...this.#standing, attempt: this.#inHand.attempt };
  }

  get #inHand() {
    const { card } = this;
    if (!card) throw new Error("the deck is done");
    return card;
  }

  /** @param {Partial<Standing>} change */
  #set(change) {
    this.#standing = { ...this.#standing, ...change };
    this.hears.changed();
  }

  /** @param {import("../practice/attempts.js").Attempt} attempt @param {Partial<Standing>} [change] */
  #write(attempt, change = {}) {
    this.session = written(this.session, attempt);
    this.#set(change);
  }

  /** @param {string} text */
  type(text) {
    if (this.#inHand.attempt.text === text) return;
    const attempt = typed(this.#inHand.attempt, text);
    this.#write(attempt, stands(attempt) ? {} : { reply: null, printed: "" });
  }

  /** @param {string} answer @param {number} hints @param {(reply: Reply) => void} arrived */
  #ask(answer, hints, arrived) {
    const { drill } = this.#inHand;
    this.#set({ busy: true, problem: null });
    this.#loader.check(
      JSON.stringify(drill.walk),
      { target: drill.target, answer, hints },
      {
        arrived: (reply) => {
          this.#set({ busy: false });
          arrived(reply);
        },
        failed: (problem) => {
          this.#set({ busy: false, problem });
          this.hears.say(spoken(`${problem.message} ${problem.hint ?? ""}`));
        },
      },
    );
  }

  check() {
    const { drill, attempt } = this.#inHand;
    if (this.#standing.busy) return;
    if (stands(attempt)) return this.next();
    if (isBlank(attempt, drill.name)) return this.hears.say(`Write ${drill.name} first.`);
    this.#ask(attempt.text, attempt.hints.length, (reply) => this.#answered(attempt.text, reply));
  }

  /** @param {string} text @param {Reply} reply */
  #answered(text, reply) {
    const { drill, attempt } = this.#inHand;
    // who has gone on typing meanwhile is told nothing about another text
    this.#write(checked(attempt, text, reply), attempt.text === text ? { reply } : {});
    this.hears.say(`${replyWords(drill.name, reply)}${reply.correct ? " Enter for the next drill." : ""}`);
    if (reply.correct) this.#compare(text);
  }

  /** A right answer beside the printed line, which is the last hint. @param {string} answer */
  #compare(answer) {
    const { drill } = this.#inHand;
    const about = { target: drill.target, answer, hints: GRADES };
    this.#loader.check(JSON.stringify(drill.walk), about, {
      arrived: ({ hints }) => this.#set({ printed: hints[GRADES - 1] ?? "" }),
      failed() {}, // the answer is right without it
    });
  }

  hint() {
    const { drill, attempt } = this.#inHand;
    const wanted = attempt.hints.length + 1;
    this.#ask(attempt.text.trim() || `${drill.name} = 0`, wanted, ({ hints }) => {
      this.#write(hinted(this.#inHand.attempt, hints.slice(0, wanted)));
      this.hears.say(spoken(hints[wanted - 1] ?? "There is no further hint."));
    });
  }

  /** The line is the last hint. */
  show() {
    const { attempt } = this.#inHand;
    const line = attempt.hints.at(-1) ?? "";
    this.#write(shown(attempt, line), { reply: null });
    this.hears.say(`Shown: ${line}`);
  }

  /** The box of a drill follows from the first time that it is asked in a deck. */
  next() {
    const { drill, attempt, again } = this.#inHand;
    this.#loader.cancel();
    if (!again) {
      this.boxes = moved(this.boxes, drill.id, atOnce(attempt));
      keepBoxes(this.boxes);
    }
    this.session = advanced(this.session);
    this.#standing = FRESH;
    this.hears.opened();
  }

  cancel() {
    this.stop();
    this.#set({ busy: false });
    this.hears.say("Cancelled.");
  }

  stop() {
    this.#loader.cancel();
  }
}
