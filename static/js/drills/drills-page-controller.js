import { GRADES, checked, hinted, isBlank, shown, stands, typed } from "../practice/attempts.js";
import { moved, nextDeck } from "../practice/boxes.js";
import { makeCheckLoader } from "../practice/check-loader.js";
import { replyWords } from "../practice/spoken-reply.js";
import { asApiError } from "../shared/api.js";
import { mountCopyLink } from "../shared/copy-link-controller.js";
import { latest } from "../shared/latest.js";
import { mountNotice } from "../shared/notice-view.js";
import { mountPlainHeader } from "../shared/plain-header-controller.js";
import { showProblem } from "../shared/problem-view.js";
import { spoken } from "../shared/prose.js";
import { byId, cleanups } from "../shared/dom/elements.js";
import { mountProjector } from "../exercise/projector-view.js";
import { keepBoxes, restoredBoxes } from "../exercise/progress-storage-controller.js";
import { addressOf, askedIn } from "./address.js";
import { mountBoxesMenu } from "./boxes-menu-controller.js";
import { deckOf } from "./deck.js";
import { mountDrill } from "./drill-view.js";
import { requestDrills } from "./drills-api.js";
import { fillEnd } from "./end-view.js";
import { advanced, atOnce, cardOf, resultsOf, started, written } from "./session.js";
import { fillSetup } from "./setup-view.js";
/** @typedef {import("./deck.js").Drill} Drill */
/** @typedef {import("./deck.js").Group} Group */
/** @typedef {import("../practice/attempts.js").Reply} Reply */
/** @typedef {import("../walk/types.js").Problem} Problem */

const SEEDS = 1_000_000;

/** The page of drills: a choice of rules, then one short drill at a time. @returns {() => void} unmount */
export function mountDrillsPage() {
  const undo = cleanups();
  const main = byId("drills");
  const notice = mountNotice();
  const requests = latest();
  const asked = askedIn(new URL(location.href));
  let leave = () => {};

  function load() {
    main.setAttribute("aria-busy", "true");
    byId("problem").hidden = true;
    requests.ask((signal) => requestDrills(asked.seed ?? 0, asked.seed === null ? [] : asked.groups, signal), {
      arrived,
      failed,
    });
  }

  /** @param {{groups: Group[], drills: Drill[]}} found */
  function arrived({ groups, drills }) {
    main.setAttribute("aria-busy", "false");
    leave();
    leave = asked.seed === null ? setUp(groups, drills) : mountDeck(drills, asked);
  }

  /** @param {unknown} error */
  function failed(error) {
    main.setAttribute("aria-busy", "false");
    main.classList.add("failed");
    const { problem } = asApiError(error, "Reload it: what you answered stays.");
    showProblem(byId("problem"), problem, [{ label: "Try again", act: load }]);
  }

  /** @param {Group[]} groups @param {Drill[]} drills */
  function setUp(groups, drills) {
    const form = /** @type {HTMLFormElement} */ (byId("setup"));
    const fill = () =>
      fillSetup(form, { groups, drills, boxes: restoredBoxes(), chosen: asked.groups, most: asked.most });
    fill();
    show("setup");
    const inner = cleanups();
    inner.on(form, "submit", (event) => {
      event.preventDefault();
      const data = new FormData(form);
      const chosen = data.getAll("group").map(String);
      if (!chosen.length) return notice.show("Choose at least one kind of rule.", null, 4);
      const all = chosen.length === groups.length;
      const seed = Math.floor(Math.random() * SEEDS);
      location.assign(addressOf({ seed, groups: all ? [] : chosen, most: Number(data.get("most")) }));
    });
    const menu = mountBoxesMenu(notice, fill);
    inner.add(menu.unmount);
    form.querySelector("button")?.focus({ preventScroll: true });
    return inner.run;
  }

  undo.add(mountPlainHeader());
  undo.add(mountProjector());
  undo.add(mountCopyLink(notice, "this deck, without your answers"));
  undo.add(() => leave());
  undo.add(requests.stop);
  undo.add(notice.unmount);
  load();
  return undo.run;

  /** @param {Drill[]} drills @param {import("./address.js").Asked} about */
  function mountDeck(drills, about) {
    const menu = mountBoxesMenu(notice, () => location.reload());
    const stop = mountCards(drills, about);
    return () => {
      menu.unmount();
      stop();
    };
  }
}

/** @param {"setup"|"card"|"end"} name of the one part of the page that is seen */
function show(name) {
  for (const one of ["setup", "card", "end"]) byId(one).hidden = one !== name;
  for (const one of ["so-far", "copy-link"]) byId(one).hidden = name === "setup";
}

/** The cards of a deck, one after the other. @param {Drill[]} drills @param {import("./address.js").Asked} asked */
function mountCards(drills, asked) {
  const undo = cleanups();
  const loader = makeCheckLoader();
  const say = (/** @type {string} */ words) => (byId("announcer").textContent = words);
  let boxes = nextDeck(restoredBoxes());
  let session = started(deckOf(drills, boxes, asked.seed ?? 0, asked.most));
  /** @type {ReturnType<typeof mountDrill>|null} */
  let view = null;
  /** @type {Reply|null} */
  let reply = null;
  let busy = false;
  /** @type {Problem|null} */
  let problem = null;
  /** The line as gradwalk writes it, once the reader's is right. */
  let printed = "";

  const card = () => /** @type {import("./session.js").Card} */ (cardOf(session));

  function draw() {
    view?.update({ attempt: card().attempt, reply, busy, problem, printed });
    const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
    [bar.max, bar.value] = [Math.max(1, session.cards.length), session.at];
    byId("count").textContent = `drill ${session.at + 1} of ${session.cards.length}`;
  }

  function open() {
    view?.unmount();
    [view, reply, busy, problem, printed] = [null, null, false, null, ""];
    const next = cardOf(session);
    if (!next) return end();
    show("card");
    byId("card").classList.toggle("again", next.again);
    byId("card").dataset.drill = next.drill.id;
    view = mountDrill(byId("card-body"), next.drill, { check, typed: type });
    draw();
    view.focus();
  }

  function end() {
    const bar = /** @type {HTMLProgressElement} */ (byId("bar"));
    bar.value = bar.max;
    byId("count").textContent = "the deck is done";
    show("end");
    const results = resultsOf(session);
    fillEnd(byId("end"), { results, asked, drills, boxes });
    say(`The deck is done: ${results.right} of ${results.results.length} right at once.`);
  }

  /** @param {string} text */
  function type(text) {
    if (card().attempt.text === text) return;
    const attempt = typed(card().attempt, text);
    session = written(session, attempt);
    if (!stands(attempt)) [reply, printed] = [null, ""];
    draw();
  }

  /** @param {string} answer @param {number} hints @param {(reply: Reply) => void} arrived */
  function ask(answer, hints, arrived) {
    const { drill } = card();
    [busy, problem] = [true, null];
    draw();
    loader.check(
      JSON.stringify(drill.walk),
      { target: drill.target, answer, hints },
      {
        arrived(found) {
          busy = false;
          arrived(found);
        },
        failed(found) {
          [busy, problem] = [false, found];
          draw();
          say(spoken(`${found.message} ${found.hint ?? ""}`));
        },
      },
    );
  }

  function check() {
    const { drill, attempt } = card();
    if (busy) return;
    if (stands(attempt)) return next();
    if (isBlank(attempt, drill.name)) return say(`Write ${drill.name} first.`);
    ask(attempt.text, attempt.hints.length, (found) => {
      session = written(session, checked(card().attempt, attempt.text, found));
      // who has gone on typing meanwhile is told nothing about another text
      if (card().attempt.text === attempt.text) reply = found;
      draw();
      say(`${replyWords(drill.name, found)}${found.correct ? " Enter for the next drill." : ""}`);
      if (found.correct) compare(attempt.text);
    });
  }

  /** A right answer beside the printed line, which is the last hint. @param {string} answer */
  function compare(answer) {
    const { drill } = card();
    const about = { target: drill.target, answer, hints: GRADES };
    loader.check(JSON.stringify(drill.walk), about, {
      arrived({ hints }) {
        printed = hints[GRADES - 1] ?? "";
        draw();
      },
      failed() {}, // the answer is right without it
    });
  }

  function hint() {
    const { drill, attempt } = card();
    const wanted = attempt.hints.length + 1;
    ask(attempt.text.trim() || `${drill.name} = 0`, wanted, ({ hints }) => {
      session = written(session, hinted(card().attempt, hints.slice(0, wanted)));
      draw();
      say(spoken(hints[wanted - 1] ?? "There is no further hint."));
    });
  }

  /** The line is the last hint. */
  function showLine() {
    const line = card().attempt.hints.at(-1) ?? "";
    session = written(session, shown(card().attempt, line));
    reply = null;
    draw();
    say(`Shown: ${line}`);
    view?.focus();
  }

  /** The box of a drill follows from the first time that it is asked in a deck. */
  function next() {
    const { drill, attempt, again } = card();
    loader.cancel();
    if (!again) {
      boxes = moved(boxes, drill.id, atOnce(attempt));
      keepBoxes(boxes);
    }
    session = advanced(session);
    open();
  }

  function cancel() {
    loader.cancel();
    busy = false;
    draw();
    say("Cancelled.");
  }

  undo.on(byId("card"), "click", (event) => {
    const act = event.target.closest("[data-act]")?.dataset.act;
    if (act) ({ check, hint, show: showLine, next, later: next, cancel })[/** @type {"check"} */ (act)]();
  });
  undo.on(document, "keydown", (event) => {
    if (event.key !== "PageDown" || !cardOf(session) || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    next();
  });
  const theme = new MutationObserver(() => cardOf(session) && draw()); // colours of pictures are drawn, not styled
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  undo.add(() => theme.disconnect());
  undo.add(() => view?.unmount());
  undo.add(loader.cancel);
  open();
  return undo.run;
}
