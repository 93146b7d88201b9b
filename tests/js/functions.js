// How long functions are: `node tests/js/functions.js typescript.js folder` prints [script, line, name, lines] of each.
import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const [parser, folder] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(resolve(parser));

/** @returns {[string, number, string, number][]} those of one script, nested ones too */
function functionsOf(name, text) {
  const tree = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const found = [];
  const lineAt = (position) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const from = lineAt(node.getStart(tree));
      found.push([name, from, nameOf(node), lineAt(node.end) - from + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** A function without a name of its own has that of what it is given to. */
function nameOf({ name, parent, kind }) {
  if (kind === ts.SyntaxKind.Constructor) return "constructor";
  return (name ?? parent.name)?.getText() ?? "";
}

const scripts = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".js"));
const found = scripts.sort().flatMap((name) => functionsOf(name, readFileSync(join(folder, name), "utf8")));
console.log(JSON.stringify(found));
