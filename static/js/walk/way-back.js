/**
 * Where a walk was opened from: a block of a chapter, and nothing else that an address may say.
 * @param {URL} url of the walk @returns {string|null}
 */
export function wayBack(url) {
  const from = url.searchParams.get("from");
  return from && /^\/learn\/[\w-]+(?:#[\w-]+)?$/.test(from) ? from : null;
}
