import assert from "node:assert/strict";
import { test } from "node:test";
import { Scene } from "../../../static/js/page/scene.js";

const frame = /** @type {any} */ ({});
const lights = /** @type {any} */ ({ nodes: new Set(), steps: new Set() });

/** A scene of views that write down what they hear of. @param {...string[]} hears what each of them does */
function heard(...hears) {
  const scene = new Scene();
  /** @type {string[]} */
  const said = [];
  scene.views = hears.map((own, i) => ({
    unmount: () => said.push(`unmount ${i}`),
    ...Object.fromEntries(own.map((what) => [what, () => said.push(`${what} ${i}`)])),
  }));
  return { scene, said };
}

test("positions are read once everything around has been written, and the rest is drawn after that", () => {
  const { scene, said } = heard(["update", "reveal", "finish"], ["update", "point"], ["finish", "reveal"]);
  scene.draw(frame, () => said.push("revealed"));
  assert.deepEqual(said, [
    ...["update 0", "update 1", "reveal 0", "reveal 2", "revealed", "finish 0", "finish 2", "point 1"],
  ]);
});

test("what few views show is drawn by them alone, once", () => {
  const { scene, said } = heard(["update", "reveal"], ["update", "finish", "point"]);
  scene.alone = { playing: [scene.views[1]], speed: [scene.views[1]], run: [] };
  assert.ok(scene.drawFew(frame, ["playing", "speed"]));
  assert.ok(scene.drawFew(frame, ["run"]));
  assert.deepEqual(said, ["update 1", "finish 1"]);
  assert.ok(!scene.drawFew(frame, ["playing", "step"]), "of a step all views show something");
  assert.ok(!scene.drawFew(frame, []), "who draws it anew for another reason means all of it");
  assert.deepEqual(said, ["update 1", "finish 1"]);
});

test("numbers that move reach those who follow them, and the marks after them", () => {
  const { scene, said } = heard(["update", "point"], ["follow"], ["tried"]);
  scene.follow(frame);
  scene.tried(2);
  assert.deepEqual(said, ["follow 1", "point 0", "tried 2"]);
});

test("lights are told of once they are there, and once more when they go out", () => {
  const { scene, said } = heard(["light", "point"]);
  scene.shine(null, null);
  assert.deepEqual(said, []);
  scene.shine(lights, null);
  assert.deepEqual(said, ["light 0"], "nothing is drawn yet on which they could shine");
  scene.frame = frame;
  scene.shine(null, null);
  assert.deepEqual(said, ["light 0", "light 0", "point 0"]);
});

test("who came last leaves first, and once", () => {
  const { scene, said } = heard([], []);
  scene.unmount();
  scene.unmount();
  assert.deepEqual(said, ["unmount 1", "unmount 0"]);
});
