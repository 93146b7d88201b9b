const ENTITIES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "%{": "&#37;{" });

/**
 * Plotly reads texts as markup, links included, and fills what stands in %{…}.
 * @param {string} text anybody's @returns {string} what Plotly shows as that very text
 */
export function plain(text) {
  return text.replace(/[&<>]|%\{/g, (mark) => ENTITIES[mark]);
}
