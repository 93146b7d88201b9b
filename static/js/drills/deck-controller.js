import { byId, cleanups } from "../shared/dom/elements.js";
import { onTheme } from "../shell/theme-view.js";
import { Cards } from "./cards-controller.js";
import { mountDrill } from "./drill-view.js";
import { fillEnd } from "./end-view.js";
import { showPart } from "./part-view.js";
import { resultsOf } from "./session.js";

/**
 * A deck: one card after the other, then how it came out.
 * @param {import("./deck.js").Drill[]} drills @param {import("./address.js").Asked} asked
 * @param {import("../shell/shell-controller.js").Shell} shell
 */
export function mountDeck(drills, asked, shell) {
  const undo = cleanups();
  const say = (/** @type {string} */ words) => (byId("announcer").textContent = words);
  const cards = new Cards(drills, asked, { changed, opened, say });
  /** @type {ReturnType<typeof mountDrill>|null} */
  let view = null;

  function changed() {
    view?.update(cards.standing);
    const { cards: all, at } = cards.session;
    drawCount(at, all.length, `drill ${at + 1} of ${all.length}`);
  }

  function opened() {
    view?.unmount();
    view = null;
    const { card } = cards;
    if (!card) return end();
    showPart("card");
    byId("card").classList.toggle("again", card.again);
    byId("card").dataset.drill = card.drill.id;
    view = mountDrill(byId("card-body"), card.drill, { check: () => cards.check(), typed: (text) => cards.type(text) });
    changed();
    view.focus();
  }

  function end() {
    drawCount(1, 1, "the deck is done");
    showPart("end");
    const results = resultsOf(cards.session);
    fillEnd(byId("end"), { results, asked, drills, boxes: cards.boxes });
    say(`The deck is done: ${results.right} of ${results.results.length} right at once.`);
  }

  function show() {
    cards.show();
    view?.focus();
  }

  /** @returns {boolean} whether there is a card to be put off */
  function later() {
    const there = cards.card !== null;
    if (there) cards.next();
    return there;
  }
  const acts = /** @type {Record<string, () => unknown>} */ ({
    check: () => cards.check(),
    hint: () => cards.hint(),
    next: () => cards.next(),
    cancel: () => cards.cancel(),
    show,
    later,
  });

  undo.on(byId("card"), "click", ({ target }) => acts[target.closest("[data-act]")?.dataset.act]?.());
  undo.part(shell.listen("drills", { later }));
  undo.add(onTheme(() => cards.card && changed()));
  undo.add(() => view?.unmount());
  undo.add(() => cards.stop());
  opened();
  return { unmount: undo.run };
}

/** @param {number} at @param {number} count @param {string} words */
function drawCount(at, count, words) {
  const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
  [bar.max, bar.value] = [Math.max(1, count), at];
  byId("count").textContent = words;
}
