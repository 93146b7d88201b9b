// Scripts as ESLint reads them, with their types: a method that is passed on without its object has lost its `this`.
//
// The words are the folder of the packages, the scripts' tsconfig.json, and their folder.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [packages, project, folder] = process.argv.slice(2).map((path) => resolve(path));
const required = createRequire(join(packages, "eslint.js"));
const { ESLint } = required("eslint");
const { parser, plugin } = required("typescript-eslint");

const eslint = new ESLint({
  cwd: folder,
  overrideConfigFile: true,
  overrideConfig: {
    languageOptions: { parser, parserOptions: { project } },
    plugins: { typed: plugin },
    rules: { "typed/unbound-method": "error" },
  },
});
const found = await eslint.lintFiles(["**/*.js"]);
const formatter = await eslint.loadFormatter("stylish");
console.error((await formatter.format(found)).trim());
process.exitCode = found.some(({ errorCount }) => errorCount > 0) ? 1 : 0;
