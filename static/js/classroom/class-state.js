/** @typedef {import("./types.js").ClassState} ClassState */
/** @typedef {import("./types.js").OwnQuestion} OwnQuestion */
/** @typedef {import("./types.js").ClassEvent} ClassEvent */

/**
 * What a phone knows after one more event: the same as it would be told if it asked (app/classroom/room.py), so that it
 * needn't, as one of three hundred.
 * @param {ClassState} state @param {ClassEvent} event @returns {ClassState}
 */
export function stateAfter(state, event) {
  switch (event.kind) {
    case "shown":
      return { ...state, address: event.address };
    case "paced":
      return { ...state, pace: event.pace };
    case "asked":
      return { ...state, question: begun(event, state.question) };
    case "locked":
    case "unlocked":
      return { ...state, locked: event.kind === "locked" };
    case "coded":
      return { ...state, code: event.code };
    case "rotating":
    case "steady":
      return state;
    case "ended":
      return { ...state, ended: true };
  }
  const { question } = state;
  if (question?.question !== event.question) return state; // of one that nobody is shown any more
  return { ...state, question: { ...question, ...changed(question, event) } };
}

/** @param {import("./types.js").Asked} event @param {OwnQuestion|null} before @returns {OwnQuestion} */
function begun({ question, round, ask }, before) {
  const wall = round > 1 && before ? before.wall : [];
  return { question, round, ask, wall, closed: false, counts: null, answer: null, mine: null };
}

/** @param {OwnQuestion} question @param {import("./types.js").AboutQuestion} event @returns {Partial<OwnQuestion>} */
function changed({ wall }, event) {
  switch (event.kind) {
    case "closed":
      return { closed: true };
    case "counted":
      return { counts: { bars: event.bars, waiting: event.waiting } };
    case "answered":
      return { answer: { value: event.value, because: event.because } };
    case "walled":
      return { wall: wallWith(wall, event) };
    case "unwalled":
      return { wall: wall.filter((one) => one.text !== event.text) };
  }
}

/** @param {import("./types.js").Walled[]} wall @param {import("./types.js").Walled} next */
function wallWith(wall, next) {
  return wall.some((one) => one.text === next.text)
    ? wall.map((one) => (one.text === next.text ? next : one))
    : [...wall, next];
}
