/** A number as it was written: `1.0` must reach the server as 1.0, because lists of whole numbers become integers. */
export class Verbatim {
  /** @param {string} text valid JSON */
  constructor(text) {
    this.text = text;
  }
}

/** @param {unknown} value plain data with Verbatim in it @returns {string} JSON; undefined fields are left out */
export function toJson(value) {
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`).join(",")}}`;
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @param {string} text JSON @returns {any} the data, every number as the text it was written with */
export function parseNumbersAsText(text) {
  return JSON.parse(text.replace(STRING_OR_NUMBER, (piece) => (piece.startsWith('"') ? piece : `"${piece}"`)));
}
