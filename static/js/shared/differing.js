/**
 * Remembers what it was last asked about, so that what is shown of it is written once and not at every step.
 * @returns {(...parts: unknown[]) => boolean} whether any part is another than it was; the first time, true
 */
export function differing() {
  /** @type {unknown[]|null} */
  let was = null;
  return (...parts) => {
    const differs = was === null || parts.some((part, i) => part !== was?.[i]);
    was = parts;
    return differs;
  };
}
