// Style sheets and templates as they are laid out: `--check` names those that are not, `--write` writes them.
//
// The first word is the folder of the packages. A template is read as Jinja, whatever its file is called.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [packages, mode] = process.argv.slice(2);
const required = createRequire(join(resolve(packages), "layout.js"));
const { createFromBuffer } = required("@dprint/formatter");

const KINDS = [
  { folder: "static/css", ends: ".css", plugin: "dprint-plugin-malva", options: { singleLineBlockThreshold: 99 } },
  { folder: "templates", ends: ".html", plugin: "dprint-plugin-markup", options: {}, readAs: "template.jinja" },
];

/** Each file's text as it is and as it is laid out. */
function* texts({ folder, ends, plugin, options, readAs }) {
  const formatter = createFromBuffer(readFileSync(required.resolve(`${plugin}/plugin.wasm`)));
  formatter.setConfig({ lineWidth: 120, indentWidth: 2 }, options);
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    if (!name.endsWith(ends)) continue;
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    yield { path, text, laidOut: formatter.formatText({ filePath: readAs ?? path, fileText: text }) };
  }
}

const others = KINDS.flatMap((kind) => [...texts(kind)]).filter(({ text, laidOut }) => text !== laidOut);
if (mode === "--write") for (const { path, laidOut } of others) writeFileSync(path, laidOut);
else for (const { path } of others) console.error(`${path} is not laid out: \`make format\` does it.`);
process.exitCode = mode === "--write" || others.length === 0 ? 0 : 1;
