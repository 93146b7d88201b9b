import assert from "node:assert/strict";
import { test } from "node:test";
import { layOut } from "../../../static/js/graph/graph-layout.js";
import { rowsOf } from "../../../static/js/graph/graph-rows.js";
import { batchnorm, drawnAtRandom, unrolled } from "./programs.js";

/** Panes of windows 1280, 1440, 1920, 2560 and 768 wide, with the largest type there. */
const PANES = [
  { width: 345, height: 560, type: 13 },
  { width: 388, height: 680, type: 13 },
  { width: 518, height: 850, type: 15 },
  { width: 691, height: 1180, type: 18 },
  { width: 290, height: 329, type: 13 },
];

/** @param {any} document @param {typeof PANES[0]} pane @param {(name: string) => string} [text] */
function fitted(document, pane, text = (name) => name) {
  const labels = new Map(
    document.nodes.map((/** @type {any} */ { name }) => [name, { text: text(name), badge: true }]),
  );
  return layOut(rowsOf(document), labels, pane);
}

/** @typedef {import("../../../static/js/graph/graph-layout.js").Rect} Rect */

/** @param {ReturnType<typeof layOut>} layout @returns {[string, Rect][]} */
function rectsOf({ nodes, pills }) {
  return [...nodes, .../** @type {any} */ (pills.map(({ name, to, rect }) => [`${name}>${to}`, rect]))];
}

for (const [name, document, text] of /** @type {[string, any, ((name: string) => string)?][]} */ ([
  ["batchnorm", batchnorm],
  ["60 uses of one weight", unrolled(60)],
  ["names of 34 letters", batchnorm, (name) => `${name}_of_the_first_linear_layer_here`.slice(0, 34)],
  ["many lanes", drawnAtRandom(7)],
])) {
  test(`${name}: all of it is inside the pane, nothing lies on anything else, and no letter is small`, () => {
    for (const pane of PANES) {
      const layout = fitted(document, pane, text);
      assert.ok(layout.height <= pane.height + 0.01, `${pane.width}: ${layout.height} high`);
      assert.ok(Math.min(layout.sizes.font, layout.sizes.small) >= 10);
      const rects = rectsOf(layout);
      for (const [i, [one, a]] of rects.entries()) {
        assert.ok(a.left >= 0 && a.left + a.width <= pane.width + 0.01, `${pane.width}: ${one} ${JSON.stringify(a)}`);
        assert.ok(a.top >= 0 && a.top + a.height <= layout.height, `${pane.width}: ${one} ${JSON.stringify(a)}`);
        for (const [other, b] of rects.slice(i + 1)) {
          const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
          const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
          assert.ok(across <= 0.01 || down <= 0.01, `${pane.width}: ${one} on ${other}`);
        }
      }
    }
  });
}

test("where there is room names are whole and type grows with it", () => {
  const sizes = PANES.slice(1, 4).map((pane) => fitted(batchnorm, pane).sizes);
  assert.deepEqual(
    sizes.map(({ font }) => font),
    [13, 15, 18],
  );
  assert.deepEqual(
    sizes.map(({ saving }) => saving),
    [{}, {}, {}],
  );
});

test("a program too long for any pane scrolls, rows a name's height apart", () => {
  const layout = fitted(unrolled(400), PANES[0]);
  assert.ok(layout.height > PANES[0].height);
  assert.ok(layout.sizes.pitch >= 13);
});

test("a group's name stands above its rows where they have room, and its band is around them", () => {
  const roomy = fitted(batchnorm, PANES[1]);
  assert.deepEqual(
    roomy.bands.map(({ name }) => name),
    ["BatchNorm"],
  );
  const [{ rect }] = roomy.bands;
  for (const name of ["mean", "output"]) {
    const { top, height } = /** @type {Rect} */ (roomy.nodes.get(name));
    assert.ok(rect.top < top && top + height < rect.top + rect.height);
  }
  assert.ok(roomy.headings);
  assert.ok(!fitted(batchnorm, { width: 300, height: 150, type: 13 }).headings);
});

test("a line leads from one thumbnail to the other, from the foot of a column to the head of the next", () => {
  const layout = fitted(unrolled(60), PANES[0]);
  for (const { from, to, path } of layout.rails) {
    const numbers = path.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
    const middle = (/** @type {string} */ name) => {
      const { top, height } = /** @type {any} */ (layout.nodes.get(name));
      return top + height / 2;
    };
    assert.ok(Math.abs(numbers[1] - middle(from)) < 0.1, `${from} to ${to}: ${path}`);
    assert.ok(Math.abs(numbers[numbers.length - 1] - middle(to)) < 0.1, `${from} to ${to}: ${path}`);
  }
  const columns = layout.rails.filter(({ path }) => path.includes("Q"));
  assert.equal(columns.length, new Set([...layout.nodes.values()].map(({ left }) => left)).size - 1);
});
