/** @param {string} address of a page @returns {string} the same as a part of another page */
function framed(address) {
  const url = new URL(address, location.origin);
  url.searchParams.delete("embed");
  const query = url.search ? `${url.search}&embed` : "?embed";
  return url.pathname + query + url.hash;
}

/** @param {string} href of a page in a frame @returns {string} as it is called by itself */
function unframed(href) {
  const url = new URL(href);
  const query = url.search
    .replace(/^\?/, "")
    .split("&")
    .filter((part) => part && part.split("=")[0] !== "embed");
  return url.pathname + (query.length ? `?${query.join("&")}` : "") + url.hash;
}

/**
 * A page of ours inside this one.
 * @param {HTMLIFrameElement} frame
 */
export function makeFrame(frame) {
  /** @returns {string} what it shows now; empty before it shows anything */
  const shown = () => {
    const href = frame.contentWindow?.location.href ?? "";
    return href.startsWith("http") ? unframed(href) : "";
  };

  /** @param {string} address a place on the same page is gone to there; another page is loaded */
  function show(address) {
    const now = shown();
    if (now === address) return;
    const inner = frame.contentWindow;
    if (!inner || now.split(/[?#]/)[0] !== address.split(/[?#]/)[0]) {
      frame.src = framed(address);
      return;
    }
    inner.history.replaceState(null, "", framed(address));
    inner.dispatchEvent(new PopStateEvent("popstate", { state: null }));
  }
  return { shown, show };
}
