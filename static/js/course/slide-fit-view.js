/** Smaller than this nothing on a slide may become: letters are still as large as on a page that is read. */
const LEAST = 0.5;

/**
 * A slide is no higher than its screen: what is higher is drawn smaller, and so is what grows while it is shown.
 * @param {HTMLElement} article
 */
export function mountSlideFit(article) {
  let scale = 1;
  const observer = new ResizeObserver(fit);

  function fit() {
    const over = document.documentElement.scrollHeight - innerHeight;
    const { height } = article.getBoundingClientRect();
    if (over <= 0 || !height) return;
    scale = Math.max(LEAST, scale * Math.max(LEAST, (height - over) / height) * 0.995);
    article.style.setProperty("zoom", String(scale));
  }

  function unmount() {
    observer.disconnect();
    scale = 1;
    article.style.removeProperty("zoom");
  }
  return {
    /** Another slide is shown. */
    renew() {
      unmount();
      observer.observe(article);
    },
    unmount,
  };
}
