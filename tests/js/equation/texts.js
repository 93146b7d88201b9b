/** @typedef {import("../../../static/js/equation/items.js").Item} Item */
/** @typedef {Extract<Item, {type: "sum"}>} Sum */

/**
 * The items of an equation's row as texts.
 * @param {Item[]} row @param {(sum: Sum) => string} sumText
 */
export function textsOf(row, sumText) {
  return row.map((item) => {
    if (item.type === "sum") return sumText(item);
    return item.type === "sign" ? `${item.text} ${item.words}`.trim() : item.label;
  });
}
