import { mountBeside } from "../compare/beside-controller.js";
import { makeVoice, mountBesideKeys } from "../compare/beside-keys-controller.js";
import { likenessWords } from "../compare/likeness.js";
import { loadPair } from "../compare/pair-loader.js";
import { makeBesidePlayer } from "../compare/player-controller.js";
import { drawBesideTransport } from "../compare/transport-view.js";
import { UNDONE } from "../figures/drawing.js";
import { mountQuestion } from "../figures/question-view.js";
import { send } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { byId, cleanups, el } from "../shared/dom/elements.js";
import { capital } from "../shared/format.js";
import { prose } from "../shared/prose-view.js";
import { mountCopyLink } from "../shell/copy-link-controller.js";
import { mountLoading } from "../shell/loading-controller.js";
import { mountShell } from "../shell/shell-controller.js";
import { onTheme, shownTheme } from "../shell/theme-view.js";
import { ANSWERS, lookAt, rightAnswer } from "./prediction.js";
import { drawRuns } from "./runs-view.js";
/** @typedef {import("../compare/types.js").ExhibitPage} ExhibitPage */
/** @typedef {import("../compare/pair-loader.js").Pair} Pair */
/** @typedef {{page: ExhibitPage, pair: Pair}} Exhibit */

const LABELS = {
  short: ["as meant", "as written"],
  phrase: /** @type {import("../compare/likeness.js").Labels} */ (["as meant", "as written"]),
};

/**
 * An exhibit of the lab: a question, and behind it both programs in step.
 * @returns {import("../shell/types.js").Mounted}
 */
export function mountExhibitPage() {
  const undo = cleanups();
  const name = byId("exhibit").dataset.exhibit ?? "";
  /** @type {ReturnType<typeof mountBeside>|null} */
  let beside = null;
  const shell = undo.part(mountShell({ lists: ["compare"], projected: () => beside?.draw() }));
  const look = { theme: shownTheme, projector: () => shell.projector.on, say: makeVoice(byId("announcer")) };
  const player = undo.part(makeBesidePlayer(() => beside, drawn));
  undo.add(onTheme(() => beside?.draw()));
  undo.part(mountCopyLink(shell.notice, "this exhibit, with its answer"));
  undo.part(mountBesideKeys(shell, () => beside, player));
  undo.add(() => beside?.unmount());
  undo.part(
    mountLoading(byId("exhibit"), {
      hint: "Reload it; if that does not help, the page and the server are of different versions.",
      ask: (signal) => loadExhibit(name, signal),
      arrived: (found) => undo.part(mountAsking(found, () => reveal(found))),
    }),
  );
  return { unmount: undo.run };

  function drawn() {
    if (beside) drawBesideTransport(beside, player.playing);
  }

  /** @param {Exhibit} found */
  function reveal({ page, pair }) {
    if (beside) return;
    byId("revealed").hidden = byId("pace").hidden = false;
    byId("found").replaceChildren(
      ...page.look_at.map((one) => {
        const { likeness } = lookAt(pair.comparison, one);
        return el("li", {}, ...prose(capital(likenessWords(likeness, one, LABELS.phrase))));
      }),
    );
    drawRuns(byId("runs"), page);
    const failed = (/** @type {import("../shared/api.js").ApiError} */ { problem }) =>
      shell.notice.show(problem.message, { label: "Try again", act: () => beside?.draw() }, 20);
    beside = mountBeside(byId("beside"), pair, LABELS, look, { moved: drawn, failed });
    beside.go(beside.begin);
    drawn();
    const address = new URL(location.href);
    address.searchParams.set("shown", "1");
    history.replaceState(null, "", address);
  }
}

/** @param {string} name @param {AbortSignal} signal @returns {Promise<Exhibit>} */
async function loadExhibit(name, signal) {
  const page = await (
    await retry(() => send(`/api/exhibits/${encodeURIComponent(name)}`, { signal }), { signal })
  ).json();
  const links = page.entry.sides.map((/** @type {{link: string}} */ side) => side.link);
  return { page, pair: await loadPair(links, signal) };
}

/**
 * The question before anything is shown: answered, or given up.
 * @param {Exhibit} exhibit @param {() => void} reveal
 */
function mountAsking({ page, pair }, reveal) {
  const undo = cleanups();
  const [asked] = page.look_at;
  const right = rightAnswer(lookAt(pair.comparison, asked).likeness);
  let deed = { ...UNDONE };
  const question = undo.part(mountQuestion("What do you expect?", { choose, show, again }, document));
  byId("asked-about").replaceChildren(...prose(`Predict: as written, beside what was meant, \`${asked}\` is …`));
  byId("answers").replaceChildren(question.root);
  undo.on(byId("show-answer"), "click", show);

  /** @param {string} key */
  function choose(key) {
    deed = key === right ? { ...deed, outcome: "right", given: key } : { ...deed, tries: [...deed.tries, key] };
    draw();
  }
  function show() {
    deed = { ...deed, outcome: deed.outcome || "shown" };
    draw();
  }
  function again() {
    deed = { ...UNDONE };
    draw();
  }
  function draw() {
    const answers = ANSWERS.map(([key, words]) => ({ key, words: () => [words] }));
    const would = deed.outcome ? "" : ANSWERS.find(([key]) => key === deed.tries.at(-1))?.[2];
    question.update(answers, right, /** @type {any} */ (deed), would ? [el("p", {}, would)] : []);
    byId("show-answer").hidden = deed.outcome !== "" || deed.tries.length > 0; // the question itself offers it then
    if (deed.outcome) reveal();
  }
  if (new URL(location.href).searchParams.has("shown")) show();
  else draw();
  return { unmount: undo.run };
}
