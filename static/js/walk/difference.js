import { Tensor } from "../shared/tensor.js";

/** A tensor less what it was before; nothing has changed about one that was not asked for yet. */
export class Change extends Tensor {
  /** @param {Tensor} now @param {Tensor|null} before */
  constructor(now, before) {
    super(now.wire);
    const alike = before && before.shape.join() === now.shape.join() ? before.data : now.data;
    this.decoded = Float64Array.from(now.data, (value, i) => value - alike[i]);
  }

  /** Of what is drawn: a tile has the change of each block's mean alone. */
  get ends() {
    return { least: this.stats.least, most: this.stats.most };
  }
}
