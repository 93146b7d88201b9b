import { byId, el } from "../shared/dom/elements.js";
import { classPath } from "./class-path.js";

/**
 * Where one joins, on the wall and beside the teacher's walk: in letters, and as a picture that a phone reads.
 * @param {string} name of the class @param {import("./types.js").ClassPicture} picture
 */
export function showJoining(name, { join, code, locked }) {
  const shown = join.replace(/^https?:\/\//, "");
  const [host, ...port] = shown.split(/(?=:)/);
  byId("where").replaceChildren(...(locked ? ["Joining is closed."] : [host ?? "", el("wbr"), ...port]));
  byId("code").textContent = locked ? "" : code;
  const qr = /** @type {HTMLImageElement} */ (byId("qr"));
  qr.hidden = locked;
  if (qr.dataset.code === code) return;
  qr.dataset.code = code;
  qr.alt = `QR code of ${join}/${code}`;
  qr.src = classPath(name, `/qr.svg?code=${code}`);
}
