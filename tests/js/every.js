// Every test file in one process: a process for each, as `node --test` starts them, takes six times as long.
import { readdirSync } from "node:fs";

const found = readdirSync(new URL(".", import.meta.url), { recursive: true });
const files = found.filter((name) => name.endsWith(".test.js")).sort();
if (files.length === 0) throw new Error("There are no JavaScript tests here.");

for (const file of files) {
  try {
    await import(`./${file}`);
  } catch (error) {
    // Told here: the reporter of dots says nothing of a file that could not be read, and the others would not be.
    console.error(`tests/js/${file} cannot be read:`, error);
    process.exitCode = 1;
  }
}
