/** The learning rates at which a walk goes downhill, and the one that is taken unless somebody chose. */
export const RATES = [0.01, 0.1, 1, 10];
export const RATE = 0.1;
