import { byId, cleanups } from "../../shared/dom/elements.js";
import { latest } from "../../shared/latest.js";
import { counted } from "../../shared/plural.js";
import { onTheme } from "../../shell/theme-view.js";
import { requestDeed, requestReveal } from "./bug-api.js";
import { foundLine, hintsOf, isDone, keyOf, pointsOf, together, withDeed } from "./game.js";
import { keepGame, keptGame } from "./games-storage-controller.js";
import { mountBoard } from "./board-view.js";
import { spoken } from "./spoken.js";
/** @typedef {import("./address.js").Asked} Asked */
/** @typedef {import("./game.js").Deed} Deed */
/** @typedef {import("../types.js").Bug} Bug */

const HINT = "Try it again: it has cost nothing.";
const SHOWN_LATER = "Reload the page: what you have found stays.";

/** One game: what was looked at, what it told, and what is left of the points. */
class Game {
  /** @param {Bug} bug @param {Asked} asked @param {import("../../shell/notice-controller.js").Notice} notice */
  constructor(bug, asked, notice) {
    this.bug = bug;
    this.asked = asked;
    this.notice = notice;
    this.key = `${asked.network}/${asked.seed}`;
    this.game = keptGame(this.key);
    /** @type {Map<string, any>} what was told, by the key of the deed */
    this.told = new Map();
    /** @type {import("../types.js").Reveal|null} */
    this.reveal = null;
    /** @type {Deed|null} what is being asked for */
    this.asking = null;
    /** @type {number|null} the line that is open */
    this.open = null;
    this.requests = latest();
    this.revealing = latest();
    this.undo = cleanups();
    this.board = this.undo.part(
      mountBoard(byId("game"), bug, asked, {
        open: (line) => this.#open(line),
        ask: (deed) => this.#ask(deed),
        show: () => this.#end("shown"),
        cancel: () => this.#cancel(),
      }),
    );
    this.undo.add(() => this.requests.stop());
    this.undo.add(() => this.revealing.stop());
    this.undo.add(onTheme(() => this.#draw()));
    /** What was told before the page was left is on its way until then; what is asked for meanwhile waits for it. */
    this.restored = this.#restore();
  }

  /** What was told before the page was left, or in another window, is asked for again, which costs nothing. */
  async #restore() {
    this.#draw();
    for (const deed of this.game.deeds) await this.#request(deed);
    if (this.game.over) await this.#revealed();
    this.#draw();
  }

  /** @param {number} line */
  #open(line) {
    this.open = this.open === line ? null : line;
    this.#draw();
  }

  /** @param {Deed} deed */
  async #ask(deed) {
    await this.restored;
    if (this.asking || (this.game.over && !isDone(this.game, deed))) return;
    const told = await this.#request(deed);
    if (!told) return;
    const right = deed.do === "accuse" ? told.right : deed.do === "name" ? told.named : undefined;
    const done = right === undefined ? deed : { ...deed, right };
    this.game = withDeed(together(keptGame(this.key), this.game), done);
    if (deed.do === "name" && right && !this.game.over) return this.#end("found");
    this.#keep();
    if (this.game.over || this.game.deeds.some((one) => !this.told.has(keyOf(one)))) this.restored = this.#restore();
    this.#say(spoken(this.bug, done, told));
    this.board.focus(deed);
  }

  /** @param {"found"|"shown"} how */
  async #end(how) {
    if (this.game.over) return;
    this.#cancel();
    this.game = together(keptGame(this.key), { ...this.game, over: how });
    this.#keep();
    await this.#revealed();
    this.#say(`${this.game.over === "found" ? "Found" : "Shown"}: line ${(this.reveal?.line ?? 0) + 1}.`);
    this.board.focusEnd();
  }

  #revealed() {
    return new Promise((done) =>
      this.revealing.ask((signal) => requestReveal(this.asked, this.game, signal), {
        arrived: (reveal) => {
          this.reveal = reveal;
          this.open = null;
          this.#draw();
          done(null);
        },
        failed: (error) => done(this.notice.fail(error, SHOWN_LATER)),
      }),
    );
  }

  /** @param {Deed} deed @returns {Promise<any>} what is told of it; null where that failed or was called off */
  #request(deed) {
    const known = this.told.get(keyOf(deed));
    if (known) return Promise.resolve(known);
    this.asking = deed;
    this.#draw();
    return new Promise((done) => {
      const ended = (/** @type {any} */ told) => {
        this.asking = null;
        this.stop = null;
        this.#draw();
        done(told);
      };
      this.stop = () => ended(null);
      this.requests.ask((signal) => requestDeed(this.asked, deed, signal), {
        arrived: (told) => {
          this.told.set(keyOf(deed), told);
          ended(told);
        },
        failed: (error) => {
          this.notice.fail(error, HINT);
          ended(null);
        },
      });
    });
  }

  #cancel() {
    this.requests.stop();
    this.stop?.();
  }

  #keep() {
    keepGame(this.key, this.game);
    this.#draw();
  }

  /** @param {string} words */
  #say(words) {
    byId("announcer").textContent = `${words} ${counted(pointsOf(this.game), "point")} left.`;
  }

  #draw() {
    const { game, told, asking, open, reveal } = this;
    this.board.update({ game, told, asking, open, reveal, found: foundLine(game), hints: hintsOf(game) });
  }

  unmount = () => this.undo.run();
}

/**
 * @param {Bug} bug @param {Asked} asked @param {import("../../shell/notice-controller.js").Notice} notice
 * @returns {import("../../shell/types.js").Mounted}
 */
export const mountGame = (bug, asked, notice) => new Game(bug, asked, notice);
