import { el } from "../shared/dom/elements.js";
import { prose } from "../shared/prose-view.js";
import { mountPlaces } from "./places-view.js";
/** @typedef {import("./types.js").SearchOrder} Order */

/**
 * The search that orders the backward pass, call by call: its code, the calls under way, the visited set, the list.
 * @param {HTMLElement} host @param {Order} made the answer of POST /api/order
 * @param {import("./piece-view.js").How} how `place` is the moment it begins with, counted from 1
 */
export function drawOrder(host, made, { place = 1, moved = () => undefined }) {
  const code = el("ol", { class: "order-code" }, ...made.code.map((line) => el("li", {}, el("code", {}, line))));
  const told = el("p", { class: "order-told" });
  const stack = el("ol", { class: "order-stack" });
  const visited = el("ol", { class: "order-list" });
  const order = el("ol", { class: "order-list numbered" });
  const orderName = el("dt", {}, "order");
  const all = el(
    "details",
    { class: "order-all" },
    el("summary", {}, "all of it as text"),
    el("ol", {}, ...made.events.map(({ text }) => el("li", {}, ...prose(text)))),
  );

  /** @param {number} at */
  function draw(at) {
    const event = made.events[at];
    const ended = event.kind === "reverse";
    [...code.children].forEach((line, number) => line.classList.toggle("here", event.lines.includes(number + 1)));
    told.replaceChildren(...prose(event.text));
    stack.replaceChildren(
      ...event.stack.map((name, depth) => {
        const call = el("li", {}, el("code", {}, `visit(${name})`));
        call.style.setProperty("--depth", String(depth));
        if (depth === event.stack.length - 1) call.setAttribute("aria-current", "true");
        return call;
      }),
    );
    stack.scrollTop = stack.scrollHeight; // the call under way is the last one
    visited.replaceChildren(
      ...event.visited.map((name) => chip(name, name === event.tensor && event.kind !== "append")),
    );
    orderName.textContent = ended ? "order, reversed" : "order";
    const list = ended ? made.backward : event.order;
    order.classList.toggle("is-backward", ended);
    order.replaceChildren(...list.map((name) => chip(name, event.kind === "append" && name === event.tensor)));
  }

  const places = mountPlaces(host, {
    title: `The search from ${made.tensor}`,
    class: "order",
    count: made.events.length,
    place,
    plays: true,
    draw,
    spoken: (at) => made.events[at].text,
    moved,
  });
  places.body.append(
    told,
    el(
      "div",
      { class: "order-parts" },
      code,
      el(
        "dl",
        { class: "order-state" },
        el("div", { class: "order-calls" }, el("dt", {}, "calls"), el("dd", {}, stack)),
        el("div", {}, el("dt", {}, "visited"), el("dd", {}, visited)),
        el("div", {}, orderName, el("dd", {}, order)),
      ),
    ),
    all,
  );
  places.begin();
  return places;
}

/** @param {string} name @param {boolean} fresh */
function chip(name, fresh) {
  return el("li", { class: fresh ? "fresh" : null }, el("code", {}, name));
}
