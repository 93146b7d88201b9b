import { ApiError, post } from "../shared/api.js";
import { retry } from "../shared/retry.js";
import { copyAddressBar } from "../page/common-controller.js";
import { download } from "../page/download-controller.js";
import { withChanges } from "../walk/changes.js";
import { contentOf } from "./draft.js";
import { loadProgram } from "./starts-loader.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./modes-controller.js").Desk} Desk */
/** @typedef {ReturnType<typeof import("./modes-controller.js").mountModes>} Modes */

const LONG_LINK = 8000;

/** What is done with a program as a whole: opened, saved, linked, begun anew, taken back. @param {Desk} desk */
export function makeProgramActs({ store, shell: { notice }, address, mode, storage, form }) {
  /** @param {unknown} error */
  function complain(error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.problem.where) form.refuse(error);
    else notice.fail(error, "");
  }

  /** @param {string} words @param {() => void} act takes back what they tell of @param {number} seconds */
  function offerUndo(words, act, seconds = 8) {
    notice.show(words, { label: "Undo", act }, seconds);
  }

  return {
    complain,
    offerUndo,
    /** @param {number} line @returns {Promise<boolean>} whether it is written in its small steps now */
    async open(line) {
      const { draft } = form;
      try {
        const answer = await retry(() => post("/api/open", `{"walk":${form.body(false)},"line":${line}}`));
        const { source } = await answer.json();
        if (form.draft !== draft) return false;
        form.replace({ source: source.replace(/\n+$/, "") });
        return true;
      } catch (error) {
        complain(error);
        return false;
      }
    },
    /** @param {HTMLElement} button */
    save: async ({ dataset }) => {
      const body = form.body(store.state.exact);
      if (body === null) return form.toMistake();
      try {
        await download(body, dataset.format ?? "py", notice);
      } catch (error) {
        complain(error);
      }
    },
    copyLink: async () => {
      await storage.settle();
      address.flush();
      const { length } = location.href;
      const long = ` It has ${length.toLocaleString("en")} characters, which some programs cut short.`;
      await copyAddressBar(address, notice, `Link copied: it opens this program.${length > LONG_LINK ? long : ""}`, 5);
    },
    /** @param {{title: string, draft: Draft}} start @param {() => void} takeBack */
    begin({ title, draft }, takeBack) {
      if (contentOf(draft) === contentOf(form.draft)) return;
      const blank = !form.draft.source.trim() && !form.draft.tensors.length;
      form.replace({ origin: undefined, ...draft });
      if (blank) notice.show(`Started from “${title}”.`, null, 8);
      else offerUndo(`Started from “${title}”.`, takeBack);
    },
    /** The program gets the numbers that were changed by hand. @param {() => void} backToDesk */
    async own(backToDesk) {
      try {
        const { origin } = form.draft;
        const { draft } = await loadProgram(withChanges(form.body(store.state.exact) ?? "{}", store.state.changes));
        form.replace({ ...draft, origin });
        store.set({ changes: [] });
        backToDesk();
        offerUndo("The program has these numbers now.", form.stepBack);
      } catch (error) {
        complain(error);
      }
    },
    /** @param {Modes} modes */
    takeBack({ walkIt }) {
      form.stepBack();
      notice.hide();
      if (mode.walking) walkIt({ node: null, cell: null, view: null });
    },
  };
}
