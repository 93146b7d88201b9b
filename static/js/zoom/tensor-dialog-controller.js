import { mountTensorDialog } from "./tensor-dialog-view.js";
import { makeWindowLoader } from "./window-loader.js";

/**
 * The dialog for every number of a tensor, with its requests.
 * @param {(subject: import("../walk/pick.js").Subject, cell: number[]) => void} look
 */
export function mountZoomingDialog(look) {
  return mountTensorDialog(look, makeWindowLoader);
}
