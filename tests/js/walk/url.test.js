import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, placeIn, placeOf } from "../../../static/js/walk/url.js";
import { Walk } from "../../../static/js/walk/walk.js";
import { smallWalk } from "../document.js";

/** @param {string} text */
const read = (text) => placeOf(new URL(text, "http://here"), "usual");

test("an address and the place it names are the same thing", () => {
  const place = {
    lesson: "makemore-mlp",
    seed: 7,
    word: "zoë",
    step: 24,
    node: "W1",
    cell: [3, 0],
    of: null,
    tensor: null,
    path: null,
    exact: true,
    predict: true,
    writeIt: true,
    view: "equation",
    projector: true,
    changes: [{ tensor: "b2", index: [5], value: 0.25 }],
    plant: { step: 24, mistake: "missing-sum" },
    delta: true,
    distance: /** @type {const} */ ("box"),
    run: "Ab_9-x",
    example: 4,
    sheet: /** @type {const} */ ("costs"),
  };
  assert.equal(
    addressOf(place),
    "/walk/makemore-mlp?seed=7&word=zo%C3%AB&step=25&graph=box&node=W1&exact=1&predict=1&write=1&view=equation&p=1" +
      "&run=Ab_9-x&example=4&sheet=costs&plant=25.missing-sum&delta=1&cell=3,0&changes=b2.5:0.25",
  );
  assert.deepEqual(read(addressOf(place)), place);
});

test("an address says which number of a cell is looked into, and in which tensor", () => {
  const gradient = { ...read("/walk/usual?step=33"), cell: [3, 5], of: /** @type {const} */ ("gradient") };
  assert.equal(addressOf(gradient), "/walk/usual?step=33&cell=3,5&of=gradient");
  const brought = { ...gradient, of: /** @type {const} */ ("contribution"), tensor: "logits", path: 28 };
  assert.equal(addressOf(brought), "/walk/usual?step=33&tensor=logits&path=29&cell=3,5&of=contribution");
  const scalar = { ...gradient, cell: [] };
  assert.equal(addressOf(scalar), "/walk/usual?step=33&cell=&of=gradient");
  for (const place of [gradient, brought, scalar]) assert.deepEqual(read(addressOf(place)), place);
});

test("what is usual is left out", () => {
  assert.equal(addressOf({ ...read("/"), delta: true }), "/walk/usual");
  assert.equal(addressOf(read("/")), "/walk/usual");
});

test("a walk begins with its boxes, and a link to a step shows every line", () => {
  assert.equal(read("/").distance, "boxes");
  assert.equal(read("/?step=7").distance, "lines");
  assert.equal(addressOf({ ...read("/"), step: 6 }), "/walk/usual?step=7&graph=boxes");
  assert.equal(addressOf({ ...read("/"), distance: "lines" }), "/walk/usual?graph=lines");
  assert.equal(read("/?step=7&graph=galaxy").distance, "lines");
  assert.equal(placeIn(new Walk(smallWalk()), read("/")).distance, null, "a program of a few lines has no boxes");
});

test("nonsense in an address does no harm", () => {
  const place = read("/walk/a%20b?step=minus&seed=1e9&cell=1,x&exact=yes&run=<b>&sheet=plant");
  assert.deepEqual(place, {
    lesson: "a b",
    seed: null,
    word: "",
    step: 0,
    node: null,
    cell: null,
    of: null,
    tensor: null,
    path: null,
    exact: false,
    predict: false,
    writeIt: false,
    view: null,
    projector: false,
    run: null,
    changes: [],
    plant: null,
    delta: false,
    distance: "boxes",
    example: null,
    sheet: null,
  });
  assert.equal(read("/walk/x?step=-4").step, 0);
  assert.equal(read("/walk/x?example=4").example, 4);
  assert.equal(addressOf(read("/walk/x?example=4")), "/walk/x?example=4");
  assert.deepEqual([read("/walk/x?of=gradient&tensor=h").tensor, read("/walk/x?cell=1&of=secret").of], [null, null]);
  assert.equal(read("/walk/x?seed=-5").seed, -5);
});

test("what a walk has not is what is shown instead, in the address too", () => {
  const walk = new Walk(smallWalk());
  const shown = (/** @type {string} */ query) => addressOf(placeIn(walk, read(`/walk/usual?${query}`)));
  assert.equal(shown("step=999&cell=99,99&of=gradient"), "/walk/usual?step=7");
  assert.equal(shown("step=3&node=nothing&view=sideways"), "/walk/usual?step=3");
  assert.equal(shown("step=7&cell=1,2&of=gradient"), "/walk/usual?step=7&cell=1,2&of=gradient");
  assert.equal(shown("step=7&tensor=y&cell=1,2"), "/walk/usual?step=7&tensor=y&cell=1,2");
  assert.equal(shown("step=7&tensor=q&cell=1,2"), "/walk/usual?step=7");
  assert.equal(shown("node=w&cell=1,2&view=jacobian"), "/walk/usual?node=w&view=jacobian");
  assert.equal(
    shown("step=3&cell=&of=gradient"),
    "/walk/usual?step=3&cell=&of=gradient",
    "a single number has a cell without a place",
  );
});
