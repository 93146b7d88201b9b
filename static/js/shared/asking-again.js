/**
 * @param {import("../walk/types.js").Problem} problem
 * @returns {boolean} whether asking once more may help: a recording has no other answer
 */
export const isWorthAsking = ({ code }) => code !== "recorded";
