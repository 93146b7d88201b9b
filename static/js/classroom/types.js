/**
 * What the server tells of a class; see app/classroom/events.py.
 * @typedef {{code: string, words: string}} Choice
 * @typedef {{kind: "choice"|"gradient"|"shape", prompt: string, choices?: Choice[], names?: string[]}} Ask
 * @typedef {{text: string, code?: string, message: string, students: number, right: boolean}} Bar
 * @typedef {{kind: "walled", question: number, round: number, text: string, correct: boolean, message: string,
 *   where: [number, number]|null, students: number}} Walled
 * @typedef {{question: number, round: number, ask: Ask, closed: boolean, wall: Walled[],
 *   counts: {bars: Bar[], waiting: number}|null, answer: {value: string, because: string}|null}} Question
 * @typedef {Question & {mine: {revision: number, value: number|string}|null}} OwnQuestion
 * @typedef {{number: number, code: string, address: string, pace: "follow"|"free", locked: boolean, ended: boolean,
 *   question: OwnQuestion|null}} State
 * @typedef {{text: string, students: number, walled: boolean,
 *   verdict: {correct: boolean, code: string, message: string, where: [number, number]|null}|null}} Text
 * @typedef {Question & {answered: number, late: number, rounds?: Bar[][], waiting?: number, texts?: Text[]}} Standing
 * @typedef {Omit<State, "question"> & {present: number, question: Standing|null}} Picture
 * @typedef {{kind: "asked", question: number, round: number, ask: Ask, at: number}} Asked
 * @typedef {{kind: "closed", question: number, round: number}
 *   | {kind: "counted", question: number, round: number, bars: Bar[], waiting: number}
 *   | {kind: "answered", question: number, value: string, because: string}
 *   | Walled | {kind: "unwalled", question: number, text: string}} AboutQuestion
 * @typedef {{kind: "shown", address: string} | {kind: "paced", pace: "follow"|"free"} | Asked | AboutQuestion
 *   | {kind: "locked"|"unlocked"|"ended"}} Show
 * @typedef {Show | {kind: "missed"} | {kind: "reset"}} Told
 */
export {};
