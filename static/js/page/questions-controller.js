import { cutsLine, withChange } from "../walk/changes.js";
import { distanceFor } from "../walk/boxes.js";
import { NOTHING } from "../walk/pick.js";
import { exactWords } from "../walk/exact-words.js";
import { uprootedWords } from "../walk/plant.js";
import { tellingStep } from "../walk/training-step.js";
import { sameStep } from "../walk/same-step.js";
import { placeIn } from "../walk/url.js";
import { byId } from "../shared/dom/elements.js";
import { makeWalkLoader } from "./walk-loader.js";
/** @typedef {import("../walk/store.js").State} State */
/** @typedef {import("../walk/walk.js").Walk} Walk */
/** @typedef {import("../walk/changes.js").Change} Change */
/** @typedef {(sheets: import("./sheets-controller.js").Sheets) => void} Act */

/**
 * Which walk is asked for, and what becomes of it: it arrives, fails, or is cancelled.
 * @param {import("./walk-controller.js").Page} page
 * @param {{pause: () => void, change: (change: Partial<State>) => void, jump: (change: Partial<State>) => void,
 *   show: (walk: Walk, place: Partial<State>) => void}} acts
 */
export function makeQuestions(page, acts) {
  const { store, address, notice, subject, waiting } = page;
  const loader = makeWalkLoader({
    busy: () => waiting.begin(page.shown && cancel),
    placeFor: (made) => placeFor(page, made, follows),
    arrived,
    failed,
  });
  let shownQuestion = subject.question(store.state);
  /** Whether the walk that is asked for is to show what this one shows. */
  let follows = false;
  const then = makeThen(page);

  function cancel() {
    loader.cancel();
    then.forget();
    acts.change(shownQuestion);
    waiting.end();
    notice.show("Cancelled: this is the walk from before.", null, 3);
  }

  /** @param {Walk} made */
  function arrived(made) {
    waiting.end();
    byId("problem").hidden = true;
    byId("story").hidden = false;
    const place = placeFor(page, made, follows);
    follows = false;
    shownQuestion = subject.question(store.state);
    acts.show(made, place);
    then.run();
  }

  /** @param {import("../shared/api.js").ApiError} error */
  function failed(error) {
    waiting.end();
    then.forget();
    waiting.stale(page.shown !== null);
    subject.failed(error, page.shown && keep);
  }

  function keep() {
    waiting.stale(false);
    acts.change(shownQuestion);
  }

  function load() {
    loader.load(subject.request(store.state));
  }

  /** @param {Partial<State>} question a new minibatch or other rules: the step stays */
  function ask(question) {
    acts.pause();
    const cut = store.state.plant && page.shown && cutIn(page.shown.walk, question.changes);
    if (store.state.plant && cut) {
      const words = uprootedWords(store.state.plant, cut);
      then.say(() => notice.show(words, { label: "Back", act: () => history.back() }, 10));
      question = { ...question, plant: null };
    }
    follows = question.step === undefined;
    store.set({ run: null, ...question });
    address.push(store.state);
    load();
  }

  /** @param {import("./address-controller.js").Visit} place from Back or Forward */
  function visit(place) {
    follows = false; // the place is one of the walk that is asked for
    const { shown } = page;
    store.set(shown ? { ...place, distance: distanceFor(shown.walk.document, place) } : place);
    if (JSON.stringify(subject.question(store.state)) !== JSON.stringify(shownQuestion)) load();
  }

  /** @param {Promise<import("../walk/types.js").WalkDocument>} answer @param {AbortController} controller */
  const follow = (answer, controller) => loader.follow(subject.request(store.state), answer, controller);

  return { ask, load, follow, visit, open: then.open, ...changing(page, ask, then, acts.jump), unmount: loader.cancel };
}

/** What waits for the walk that is asked for. @param {import("./walk-controller.js").Page} page */
function makeThen(page) {
  /** @type {Act|null} */
  let opens = null;
  /** @type {(() => void)|null} */
  let says = null;

  /** Opens something over the walk, or over the next one where that is on its way. @param {Act|null} act */
  function open(act) {
    if (page.waiting.lacks.walk || !act) opens = act;
    else if (page.shown?.views) act(page.shown.views.sheets);
  }

  function forget() {
    opens = null;
    says = null;
  }

  return {
    open,
    forget,
    /** @param {() => void} tell what is to be said of the walk once it is here */
    say: (tell) => (says = tell),
    run() {
      if (opens) open(opens);
      says?.();
      forget();
    },
  };
}

/**
 * @param {import("./walk-controller.js").Page} page @param {Walk} made @param {boolean} follows the walk that is there
 * @returns {State} where it is looked at first
 */
function placeFor({ store: { state }, shown }, made, follows) {
  const same = follows && shown ? sameStep(shown.walk, state.step, made) : {};
  return { ...state, ...placeIn(made, { ...state, ...same }) };
}

/**
 * Other questions by what they change.
 * @param {import("./walk-controller.js").Page} page @param {(question: Partial<State>) => void} ask
 * @param {ReturnType<typeof makeThen>} then @param {(change: Partial<State>) => void} jump
 */
function changing(page, ask, then, jump) {
  const { store } = page;
  return {
    /** Other rounding; how many gradients it makes exact is said at once, as most steps show nothing of it. */
    exact() {
      const before = page.shown?.walk.document.summary;
      ask({ exact: !store.state.exact });
      then.say(() => {
        const after = page.shown?.walk.document.summary;
        if (before && after) page.notice.show(exactWords(before, after), null, 10);
      });
    },
    /**
     * Steps of gradient descent, and the walk from its beginning on the new numbers.
     * @param {number} rate @param {number} steps
     */
    descend(rate, steps) {
      const changes = withChange(store.state.changes, { descend: rate, steps });
      ask({ ...NOTHING, changes, step: 0, node: null, view: null });
    },
    /**
     * A run of training goes on from this walk, seen at the step where it tells most; of one that does nothing changes.
     * @param {number} rate
     */
    goOn(rate) {
      if (store.state.run !== null) return;
      const { walk } = /** @type {import("./walk-controller.js").Shown} */ (page.shown);
      jump({ ...NOTHING, run: "", rate, step: tellingStep(walk) ?? store.state.step, node: null, view: null });
    },
    /** @param {Change} change that is made besides those there are */
    make(change) {
      ask({ changes: withChange(store.state.changes, change) });
      page.watcher.made();
    },
  };
}

/**
 * Once a line is cut, steps are counted otherwise: a mistake would be planted elsewhere.
 * @param {Walk} walk @param {Change[]} [changes] @returns {string|null} the tensor whose line they cut
 */
function cutIn(walk, changes = []) {
  const cut = changes.find((change) => cutsLine(walk, change));
  return cut && "tensor" in cut ? cut.tensor : null;
}
