import { slice } from "../idle-tasks.js";

const AHEAD = 3000;
/** What is fetched ahead comes one after another, each when nothing else is to be done: something may be moving. */
let ahead = Promise.resolve();

/**
 * A view whose code is fetched when it is first wanted, or ahead of that once the page has been there for a while: the
 * first paint does not wait for what only a click opens.
 * @template {{unmount: () => void}} View
 * @param {() => Promise<View>} mount imports the code and mounts it @param {() => void} failed the code did not arrive
 */
export function lazyView(mount, failed) {
  /** @type {Promise<View>|null} */
  let coming = null;
  /** @type {View|null} */
  let view = null;
  let gone = false;

  async function fetched() {
    coming ??= mount();
    try {
      view = await coming;
    } catch (error) {
      coming = null; // to be tried again
      throw error;
    }
    if (gone) view.unmount();
    return view;
  }
  async function fetchAhead() {
    await slice();
    if (!gone) await fetched().catch(() => undefined);
  }
  const timer = setTimeout(() => (ahead = ahead.then(fetchAhead)), AHEAD);

  return {
    /** @param {(view: View) => void} act */
    async use(act) {
      try {
        const ready = await fetched();
        if (!gone) act(ready);
      } catch (error) {
        console.error(error);
        failed();
      }
    },
    unmount: () => {
      clearTimeout(timer);
      gone = true;
      view?.unmount();
    },
  };
}
