/**
 * Reads a walk as JSON and writes how bright the opening draws its gradients, what each moment says for how long, and
 * where its light comes to rest: `node tests/js/light.js < walk.json`.
 */
import { readFileSync } from "node:fs";
import { brightness } from "../../static/js/opening/light.js";
import { momentsOf } from "../../static/js/opening/moments.js";
import { sceneOf } from "../../static/js/opening/scene.js";
import { Walk } from "../../static/js/walk/walk.js";

const walk = new Walk(JSON.parse(readFileSync(0, "utf8")));
const scene = sceneOf(walk, new Map());
const { tiles, links } = scene;
const later = [0, 1, 10].map((steps) => ({ steps, loss: 1, probs: scene.letters.map(() => 0.5) }));
const moments = momentsOf(scene, walk, later);
const largest = Math.max(...tiles.map(({ norm }) => norm));
const lit = (/** @type {{norm: number}} */ { norm }) => brightness(norm, largest);
process.stdout.write(
  JSON.stringify({
    tiles: tiles.map((tile) => ({ name: tile.name, lane: tile.lane, column: tile.column, light: lit(tile) })),
    links: links.map((link) => ({ from: link.from, to: link.to, light: lit(link) })),
    moments: moments.map(({ says, seconds }) => ({ says, seconds })),
    rests: moments.map(({ name, front, back }) => ({ name, front: front[1], back: back[1] })),
  }),
);
