import { shapeOf } from "../shared/shape.js";
/** @typedef {import("../run/run.js").Run} Run */

const COLUMNS = ["run", "step", "lowest loss", "highest loss", "smoothed loss", "validation loss"];

/**
 * The curve that is drawn as a table: of a long run a row has the least and the greatest loss of a stretch of steps.
 * @param {Run[]} runs one or two @param {string[]} names @returns {string} CSV
 */
export function curveFile(runs, names) {
  const rows = runs.flatMap((run, i) => rowsOf(run, names[i] || "run"));
  return [COLUMNS, ...rows].map((row) => `${row.map(cellOf).join(",")}\n`).join("");
}

/** @param {Run} run @param {string} name @returns {(string|number)[][]} by their steps */
function rowsOf({ series, validation }, name) {
  const drawn = series.points.map(({ step, low, high, smoothed }) => [name, step, low, high, smoothed, ""]);
  const held = validation.map(({ step, loss }) => [name, step, "", "", "", loss]);
  return [...drawn, ...held].sort((a, b) => Number(a[1]) - Number(b[1]));
}

/** How the format calls the numbers of a program, and how many bytes each has. */
const KINDS = { float32: ["F32", Float32Array], float64: ["F64", Float64Array] };

/**
 * The parameters as a file of safetensors: a header that says where each tensor lies, then their numbers.
 * @param {{dtype: "float32"|"float64", tensors: Record<string, {role: string, values: any}>}} walk
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function parametersFile({ dtype, tensors }) {
  const [kind, Numbers] = /** @type {[string, Float32ArrayConstructor]} */ (KINDS[dtype]);
  const parts = Object.entries(tensors).filter(([, { role }]) => role === "parameter");
  const numbers = parts.map(([, { values }]) => new Numbers([values].flat(Infinity)));
  let end = 0;
  const header = parts.map(([name, { values }], i) => {
    const begin = end;
    end += numbers[i].byteLength;
    return [name, { dtype: kind, shape: shapeOf(values), data_offsets: [begin, end] }];
  });
  const text = JSON.stringify(Object.fromEntries(header));
  const told = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8)); // numbers lie at eights
  const file = new Uint8Array(8 + told.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(told.length), true);
  file.set(told, 8);
  let at = 8 + told.length;
  for (const part of numbers) {
    file.set(new Uint8Array(part.buffer), at);
    at += part.byteLength;
  }
  return file;
}

/** @param {string|number} value */
const cellOf = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value));
