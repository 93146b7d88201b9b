const CHAPTER = /^\/learn\/[\w-]+(?:#[\w-]+)?$/;
const RUN = /^\/train(?:\/[\w-]+)?\?run=[\w-]{1,64}(?:&\w+=[\w.@+%-]{1,80})*$/;
/** A walk whose run is open. */
const WALK = /^\/walk\/[\w-]+\?(?:[\w=.,:;~+*!%-]+&)*run=[\w-]{1,64}(?:&[\w=.,:;~+*!%-]+)*$/;

/**
 * Where a walk was opened from: a block of a chapter, a training run, and nothing else that an address may say.
 * @param {URL} url of the walk @returns {string|null}
 */
export function wayBack(url) {
  const from = url.searchParams.get("from");
  return from && [CHAPTER, RUN, WALK].some((form) => form.test(from)) ? from : null;
}

/** @param {string} from as `wayBack` found it @returns {string} what the link back is called */
export function wayBackWords(from) {
  return RUN.test(from) || WALK.test(from) ? "Back to the run" : "Back to the chapter";
}
