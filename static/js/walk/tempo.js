/** Words a minute of somebody who reads on a screen to understand. */
const READING = 230;
/** Seconds for which a step is shown at least, at the pace of reading. */
const LEAST = 2.8;
/**
 * What each speed means, 1 … 9: how many times the reading takes it shows a step for, and the milliseconds that motion
 * takes, so that it is over well before the next step.
 */
const SPEEDS = [
  { words: "reading twice", share: 2, motion: 700 },
  { words: "reading pace", share: 1, motion: 700 },
  { words: "for quick readers", share: 0.7, motion: 700 },
  { words: "to skim", share: 0.45, motion: 550 },
  { words: "a glance at each", share: 0.28, motion: 420 },
  { words: "headings only", share: 0.18, motion: 320 },
  { words: "pictures only", share: 0.13, motion: 240 },
  { words: "fast", share: 0.1, motion: 180 },
  { words: "as a film", share: 0.05, motion: 110 },
];

/** At which a walk begins. */
export const USUAL_SPEED = 2;

/** @param {number} speed 1 … 9 @returns {string} what it does */
export function speedWords(speed) {
  return SPEEDS[speed - 1].words;
}

/** @param {number} speed 1 … 9 @returns {number} milliseconds that what moves takes */
export function motionTime(speed) {
  return SPEEDS[speed - 1].motion;
}

/** @param {string} text @returns {number} words and numbers in it; signs alone are not read */
export function countWords(text) {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** @param {number} words on the stage @param {number} speed 1 … 9 @returns {number} seconds to wait there */
export function waitAt(words, speed) {
  return Math.max(LEAST, (words / READING) * 60) * SPEEDS[speed - 1].share;
}

/** Words that are read of a step besides its explanation: its heading, and what stands in its picture. */
const AROUND = 60;

/** @param {{explanation: {text: string}[]}[]} steps @returns {string} how long all of them play at the usual speed */
export function playingWords(steps) {
  const words = steps.map(({ explanation }) => countWords(explanation.map(({ text }) => text).join(" ")));
  const minutes = words.reduce((sum, count) => sum + waitAt(count + AROUND, USUAL_SPEED), 0) / 60;
  return `${minutes < 10 ? Math.max(1, Math.round(minutes)) : 5 * Math.round(minutes / 5)} min`;
}
