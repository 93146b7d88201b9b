/** Reads a walk as JSON and writes how bright the opening draws its gradients: `node tests/js/light.js < walk.json`. */
import { readFileSync } from "node:fs";
import { brightness } from "../../static/js/opening/light.js";
import { sceneOf } from "../../static/js/opening/scene.js";
import { Walk } from "../../static/js/walk/walk.js";

const { tiles, links } = sceneOf(new Walk(JSON.parse(readFileSync(0, "utf8"))), new Map());
const largest = Math.max(...tiles.map(({ norm }) => norm));
const lit = (/** @type {{norm: number}} */ { norm }) => brightness(norm, largest);
process.stdout.write(
  JSON.stringify({
    tiles: tiles.map((tile) => ({ name: tile.name, lane: tile.lane, column: tile.column, light: lit(tile) })),
    links: links.map((link) => ({ from: link.from, to: link.to, light: lit(link) })),
  }),
);
