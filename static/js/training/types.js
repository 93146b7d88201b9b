/** @typedef {import("../shared/json-number.js").Told} Told */
/** @typedef {"running"|"paused"|"finished"|"stopped"|"diverged"|"lost"} Status */
/** @typedef {{mean: Told, std: Told, norm: Told}} Statistics */
/**
 * @typedef {{optimiser: {name: string}, lr: number, clip: {by: string, limit: number}|null,
 *   schedule: {name: string, lr?: number, factor?: number, every?: number, warmup?: number}}} Settings
 */
/**
 * @typedef {Settings & {status: Status, target: number, title: string, steps: number, seed: number, lines: string,
 *   step_kind: string, parameters: Record<string, number[]>,
 *   data: {batch: number|null, letters?: number, examples?: Record<string, number>}}} Start
 */
/**
 * @typedef {{name: string, value: Statistics, gradient: Statistics, norm_after: Told, update_ratio: Told|null}}
 *   Parameter
 */
/**
 * @typedef {{name: string, histogram: {low: number, high: number, counts: number[]}, word: string, share: number,
 *   units: number[], whole: number}} Activation
 */
/**
 * @typedef {{step: number, loss: Told, smoothed: Told, losses: [number, Told, Told][], lr: number, norm: Told,
 *   norm_after: Told, silenced: boolean, parameters: Parameter[], activations: Activation[], speed: number,
 *   seconds_left: number}} Report
 */
/** @typedef {{name: string, level: string, maxdiff: Told|null, relative_error: Told|null}} Compared */
/**
 * An event of a run: its kind, how many steps are taken, and what it says.
 * @typedef {{kind: string, steps_taken: number} & Record<string, any>} RunEvent
 */

export {};
