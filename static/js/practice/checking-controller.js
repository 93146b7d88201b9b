import { makeCheckLoader } from "./check-loader.js";
import { spoken } from "../shared/prose.js";
/** @typedef {import("./attempts.js").Reply} Reply */
/** @typedef {import("../walk/types.js").Problem} Problem */
/** @typedef {import("./practice-api.js").Asked} Asked */

/** The answer that is being checked: whether one is, and why the last one could not be. */
export class Checking {
  /** @param {{draw: () => void, say: (words: string) => void}} hears `draw`: it stands differently now */
  constructor({ draw, say }) {
    this.draw = draw;
    this.say = say;
    this.busy = false;
    /** @type {Problem|null} */
    this.problem = null;
    this.loader = makeCheckLoader();
  }

  /** @param {string} walk a walk request as JSON @param {Asked} asked @param {(reply: Reply) => void} arrived */
  ask(walk, asked, arrived) {
    this.stand(true, null);
    this.loader.check(walk, asked, {
      arrived: (reply) => {
        this.busy = false;
        arrived(reply);
      },
      failed: (problem) => {
        this.stand(false, problem);
        this.say(spoken(`${problem.message} ${problem.hint ?? ""}`));
      },
    });
  }

  /** @param {boolean} busy @param {Problem|null} problem */
  stand(busy, problem) {
    [this.busy, this.problem] = [busy, problem];
    this.draw();
  }

  cancel() {
    this.loader.cancel();
    this.stand(false, this.problem);
  }

  /** Nothing is asked any more, nor drawn. */
  stop() {
    this.loader.cancel();
    [this.busy, this.problem] = [false, null];
  }
}
