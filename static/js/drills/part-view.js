import { byId } from "../shared/dom/elements.js";

/** @param {"setup"|"card"|"end"} name of the one part of the page that is seen */
export function showPart(name) {
  for (const one of ["setup", "card", "end"]) byId(one).hidden = one !== name;
  for (const one of ["so-far", "copy-link"]) byId(one).hidden = name === "setup";
}
