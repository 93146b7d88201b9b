import { isAlone, isRecorded } from "../shared/address.js";
import { cleanups, el } from "../shared/dom/elements.js";
/** @typedef {import("./notice-controller.js").Notice} Notice */

const root = document.documentElement;

/** Whether other pages may show parts of this one in a frame: the operator says so; a folder's always may. */
export const mayBeEmbedded = !isAlone && (isRecorded || root.dataset.embeds !== undefined);

/** In a frame of somebody else's page: tells it how high this one is, and opens what lies elsewhere beside it. */
export function mountEmbedding() {
  const undo = cleanups();
  const block = root.dataset.embed;
  if (block === undefined) return { unmount: undo.run };
  const shown = block ? document.getElementById(block) : null;
  if (shown) shown.dataset.embedded = "";
  document.body.append(signature(shown));
  const observer = new ResizeObserver(tell);
  observer.observe(document.body);
  undo.add(() => observer.disconnect());
  undo.on(document, "click", (event) => {
    const link = event.target.closest("a[href]");
    if (link && !link.getAttribute("href").startsWith("#")) Object.assign(link, { target: "_blank", rel: "noopener" });
  });
  return { unmount: undo.run };
}

function tell() {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  window.parent.postMessage({ gradwalk: { height } }, "*");
}

/** @param {HTMLElement|null} shown what is shown of the page @returns {HTMLElement} where all of it is */
function signature(shown) {
  const url = new URL(location.href);
  url.searchParams.delete("embed");
  const rest = shown ? `${url.pathname}#${shown.id}` : `${url.pathname}${url.search}`;
  const link = el("a", { href: rest }, "Open in gradwalk");
  link.addEventListener("click", () => shown || (link.href = wholeAddress()));
  return el("p", { class: "embed-foot" }, link);
}

function wholeAddress() {
  const url = new URL(location.href);
  url.searchParams.delete("embed");
  return url.href;
}

/**
 * @param {string} [block] of a chapter; without it what is shown now
 * @returns {string} what somebody else's page needs in order to show this one in a frame as high as it is
 */
function snippet(block = "") {
  const url = new URL(location.href);
  url.hash = "";
  url.searchParams.set("embed", block);
  const address = url.href.replace(/embed=(?=&|$)/, "embed").replaceAll("&", "&amp;");
  const look = 'loading="lazy" style="width: 100%; border: 0" height="480"';
  return `<iframe src="${address}" title="${title()}" ${look}></iframe>
<script>
  addEventListener("message", ({ source, data }) => {
    for (const frame of document.querySelectorAll("iframe"))
      if (frame.contentWindow === source && data?.gradwalk) frame.height = data.gradwalk.height;
  });
</script>
`;
}

function title() {
  return document.title.replace(/[&<>"]/g, "");
}

/** @param {Notice} notice @param {string} [block] @returns {Promise<void>} copies it, and says so */
export async function copySnippet(notice, block) {
  try {
    await navigator.clipboard.writeText(snippet(block));
    notice.show("Copied: lines for a page of your own, which shows this in a frame.", null, 5);
  } catch {
    notice.show("Copying is not allowed here.", null, 5);
  }
}
