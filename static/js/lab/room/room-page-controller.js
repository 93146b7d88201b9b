import { all, byId, cleanups } from "../../shared/dom/elements.js";
import { counted } from "../../shared/plural.js";
import { mountShell } from "../../shell/shell-controller.js";
import { matches } from "./matching.js";

/**
 * The room of exhibits: a word leaves the cards that say it. Nothing is asked of the server.
 * @returns {import("../../shell/types.js").Mounted}
 */
export function mountRoomPage() {
  const undo = cleanups();
  const shell = undo.part(mountShell());
  undo.part(shell.listen("plain", {}));
  const field = /** @type {HTMLInputElement} */ (byId("find"));
  const groups = all(".room-group");
  const links = all(".room-groups li");
  const cards = all(".exhibits li").map((card) => ({ card, text: card.textContent ?? "" }));
  field.closest("label")?.removeAttribute("hidden");
  field.value = new URL(location.href).searchParams.get("q") ?? "";
  undo.on(field, "input", typed);
  undo.on(field, "keydown", (event) => {
    if (event.key !== "Escape" || !field.value) return;
    event.preventDefault();
    field.value = "";
    typed();
  });
  show();
  return { unmount: undo.run };

  function typed() {
    const address = new URL(location.href);
    if (field.value.trim()) address.searchParams.set("q", field.value.trim());
    else address.searchParams.delete("q");
    history.replaceState(null, "", address);
    show();
  }

  function show() {
    const query = field.value.trim();
    for (const { card, text } of cards) card.hidden = !matches(text, query);
    groups.forEach((group, i) => {
      group.hidden = links[i].hidden = !group.querySelector("li:not([hidden])");
    });
    const left = cards.filter(({ card }) => !card.hidden).length;
    byId("found").textContent = query ? found(left) : counted(cards.length, "exhibit");
  }
}

/** @param {number} left */
function found(left) {
  return left ? `${counted(left, "exhibit")} found` : "No exhibit says that. Try a word of the code, such as softmax.";
}
