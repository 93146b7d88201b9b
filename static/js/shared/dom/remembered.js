/** @param {string} name @returns {string|null} what this browser remembers by the name; null also where it may not */
export function recall(name) {
  try {
    return localStorage.getItem(`gradwalk:${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value for later visits, where the browser allows it */
export function remember(name, value) {
  try {
    localStorage.setItem(`gradwalk:${name}`, value);
  } catch {
    // it is kept until the page is left
  }
}
