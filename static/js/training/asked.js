import { besideIn, besideText, runNames } from "./beside.js";
import { statusOf } from "./pair-words.js";
import { fieldsOf, mistakeIn, unusual, usualFields, withSaid } from "./settings.js";
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("./address.js").Subject} Subject */
/** @typedef {import("./settings.js").Fields} Fields */

/** What a run is asked to be: the fields of the form, as they stand in the address, too. */
export class Asked {
  /** Whether a run is being begun with them. */
  starting = false;
  #wordList;
  #trainedOn;

  /**
   * @param {Subject} subject @param {{wordList: boolean, trainedOn: string}} data that the subject usually is trained
   *   on, and whether that is the word list @param {() => Run[]} runs those there are
   */
  constructor(subject, { wordList, trainedOn }, runs) {
    this.#wordList = wordList;
    this.#trainedOn = trainedOn;
    this.subject = subject;
    this.runs = runs;
    const usual = usualFields(this.drawn, trainedOn);
    this.fields = { ...withSaid(usual, subject.settings), ...besideIn(subject.settings.beside ?? "") };
  }

  /** Whether the minibatches are drawn from the word list. */
  get drawn() {
    const start = this.runs()[0]?.start;
    return this.#wordList && (!start || start.data.name === "names");
  }

  get status() {
    return this.starting ? "starting" : statusOf(this.runs());
  }

  get mistake() {
    return mistakeIn(this.fields, this.drawn);
  }

  /** What each run is called; one alone needs no name. */
  get names() {
    const wanted = runNames(this.fields);
    if (this.runs().length < 2) return [""];
    return wanted.length === 2 ? wanted : ["first run", "second run"];
  }

  /** What of the settings stands in the address. @returns {Record<string, string>} */
  get said() {
    const beside = besideText(this.fields);
    return { ...unusual(this.fields, this.drawn, this.#trainedOn), ...(beside ? { beside } : {}) };
  }

  /** @param {0|1} place of the run that tells them @param {import("../run/types.js").Settings} told */
  hear(place, told) {
    if (place === 0) this.fields = fieldsOf(this.fields, told);
    else if (this.fields.beside === "optimiser") {
      const besideRate = String(told.schedule.lr ?? this.fields.besideRate);
      this.fields = { ...this.fields, besideOptimiser: told.optimiser.name, besideRate };
    }
  }
}
