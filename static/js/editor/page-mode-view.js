import { byId } from "../shared/dom/elements.js";

/** The page's two modes, of which one is shown: the form, and the walk. */
export function mountPageMode() {
  const [desk, walk, transport, back] = ["desk", "walk", "transport", "to-editor"].map(byId);
  let walking = false;

  /** @param {boolean} wanted */
  function show(wanted) {
    walking = wanted;
    desk.hidden = wanted;
    for (const part of [walk, transport, back]) part.hidden = !wanted;
    document.body.classList.toggle("at-desk", !wanted);
    document.title = `${wanted ? "Walk · " : ""}Your code · gradwalk`;
  }
  return {
    get walking() {
      return walking;
    },
    enter: () => show(true),
    leave: () => show(false),
    unmount: () => document.body.classList.remove("at-desk"),
  };
}
