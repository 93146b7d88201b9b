/** @typedef {{question: number, round: number, revision: number, value: number|string}} Sent */

/**
 * Answers that the server has yet to acknowledge, kept by the browser: of each question and round the latest.
 * @param {Pick<Storage, "getItem"|"setItem"|"removeItem">} storage @param {string} name of the class
 */
export function makeOutbox(storage, name) {
  const key = `gradwalk:class:${name}`;
  /** @type {Sent[]} */
  let waiting = kept();

  function kept() {
    try {
      return JSON.parse(storage.getItem(key) ?? "[]");
    } catch {
      return [];
    }
  }

  /** @param {Sent[]} answers */
  function keep(answers) {
    waiting = answers;
    try {
      if (answers.length) storage.setItem(key, JSON.stringify(answers));
      else storage.removeItem(key);
    } catch {
      // a full or forbidden storage: they are still in this page
    }
  }
  return {
    /** @param {Sent} answer */
    put: (answer) => keep([...waiting.filter((one) => !same(one, answer)), answer]),
    /** @param {Sent} answer once it is acknowledged, or refused for good */
    take: (answer) => keep(without(waiting, [answer])),
    /** @returns {Sent|undefined} the next one to send */
    next: () => waiting[0],
    /** @param {string|null} changed key of the storage @returns {Sent[]} what another tab has put there */
    heard(changed) {
      const before = waiting;
      if (changed === key) waiting = kept();
      return without(waiting, before);
    },
  };
}

/** @param {Sent[]} answers @param {Sent[]} others */
function without(answers, others) {
  return answers.filter((one) => !others.some((other) => same(one, other) && one.revision === other.revision));
}

/** @param {Sent} one @param {Sent} other */
function same(one, other) {
  return one.question === other.question && one.round === other.round;
}
