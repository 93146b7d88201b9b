import { Tensor } from "../shared/tensor.js";

/**
 * What differs between two tensors of one shape, drawn like them; of large ones between the means of their blocks.
 * @param {Tensor|null} left @param {Tensor|null} right
 * @returns {Tensor|null} right − left; null where they can't be subtracted cell by cell, or are single numbers
 */
export function differenceOf(left, right) {
  if (!left || !right || left.codes || right.codes || left.size < 2) return null;
  if (left.whole.join() !== right.whole.join() || left.shape.join() !== right.shape.join()) return null;
  const made = new Tensor({ dtype: "f8", shape: left.shape.join(", "), bdata: "" });
  made.decoded = Float64Array.from(right.data, (value, i) => value - left.data[i]);
  return made;
}
