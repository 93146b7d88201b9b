import { contentOf } from "./draft.js";
import { isPacked, pack, restored } from "./link.js";
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {{draft: Draft|null, before: Draft|null, hash: string, damaged: boolean}} Begin */

const KEY = "gradwalk:code";
const EARLIER = "gradwalk:code:earlier";
const CALM = 250;

/**
 * Keeps the form where a reload, a crash or a link finds it: in the browser's storage and in the address.
 * @param {(hash: string) => void} packed @param {(hash: string) => Promise<Draft|null>} opened
 */
export function makeDraftStorage(packed, opened) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {Draft|null} */
  let latest = null;
  /** @type {Draft|null} */
  let done = null;
  let hash = "";

  /** @returns {Promise<string>} the draft as an address's fragment */
  async function settle() {
    clearTimeout(timer);
    const draft = latest;
    if (!draft || draft === done) return hash;
    const made = await pack(draft);
    if (draft !== latest) return settle();
    done = draft;
    hash = made;
    write(KEY, { draft, hash });
    packed(hash);
    return hash;
  }

  return {
    /**
     * What the page opens with: a lesson's copy or the link's program, or the draft; the other of the two is `before`.
     * @param {Draft|null} copied @returns {Promise<Begin>}
     */
    async begin(copied) {
      const saved = stored(KEY);
      const wanted = location.hash;
      if (!copied && (!isPacked(wanted) || saved?.hash === wanted))
        return { draft: saved?.draft ?? null, before: null, hash: wanted, damaged: false };
      const linked = copied ?? (await opened(wanted));
      const differs = linked && saved && contentOf(linked) !== contentOf(saved.draft);
      if (differs) write(EARLIER, saved);
      return {
        draft: linked ?? saved?.draft ?? null,
        before: differs ? saved.draft : null,
        hash: wanted,
        damaged: linked === null,
      };
    },
    /** @param {Draft} draft */
    keep(draft) {
      latest = draft;
      write(KEY, { draft, hash }); // at once: whatever happens next, the text is safe
      clearTimeout(timer);
      timer = setTimeout(settle, CALM);
    },
    /** The draft that a link took the place of, as one more starting point. */
    earlier() {
      const saved = stored(EARLIER);
      return saved
        ? [
            {
              name: "earlier",
              title: "Your earlier draft",
              about: "What you had here before you opened a link.",
              draft: saved.draft,
            },
          ]
        : [];
    },
    settle,
    stop: () => clearTimeout(timer),
  };
}

/** @param {string} key @param {{draft: Draft, hash: string}} saved a draft with the address that it grew from */
function write(key, saved) {
  try {
    localStorage.setItem(key, JSON.stringify(saved));
  } catch {
    // a browser that forbids storage still has the address
  }
}

/** @param {string} key @returns {{draft: Draft, hash: string}|null} */
function stored(key) {
  try {
    const { draft, hash } = JSON.parse(localStorage.getItem(key) ?? "null");
    return { draft: restored(draft), hash };
  } catch {
    return null;
  }
}
