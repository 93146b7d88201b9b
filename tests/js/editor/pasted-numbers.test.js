import assert from "node:assert/strict";
import { test } from "node:test";
import { PasteError, parseValues } from "../../../static/js/editor/pasted-numbers.js";

/** [what it is, the text, its shape, its JSON] */
const READ = /** @type {[string, string, number[], string][]} */ ([
  ["a JSON list", "[0, 5, 2]", [3], "[0,5,2]"],
  ["nested lists", "[[1, 2.5], [3, -4]]", [2, 2], "[[1,2.5],[3,-4]]"],
  ["a list over several lines with a comma at the end", "[\n [1, 2],\n [3, 4],\n]", [2, 2], "[[1,2],[3,4]]"],
  ["three axes", "[[[1],[2]],[[3],[4]]]", [2, 2, 1], "[[[1],[2]],[[3],[4]]]"],
  ["a NumPy print-out", "[[ 1.   0.5]\n [-2.   3. ]]", [2, 2], "[[1.0,0.5],[-2.0,3.0]]"],
  ["a NumPy vector of floats", "[1. 2. 3.]", [3], "[1.0,2.0,3.0]"],
  ["a NumPy repr", "array([[1., 2.],\n       [3., 4.]], dtype=float32)", [2, 2], "[[1.0,2.0],[3.0,4.0]]"],
  [
    "a tensor",
    "tensor([[ 0.1,  1e-3],\n        [-.5,  2.e+2]], requires_grad=True)",
    [2, 2],
    "[[0.1,1e-3],[-0.5,2.0e+2]]",
  ],
  ["a tensor with a device", "tensor([1., 2.], device='cuda:0', grad_fn=<AddBackward0>)", [2], "[1.0,2.0]"],
  ["a parameter", "Parameter containing:\ntensor([1., 2.], requires_grad=True)", [2], "[1.0,2.0]"],
  ["an assignment", "W = torch.tensor([[1, 2], [3, 4]])", [2, 2], "[[1,2],[3,4]]"],
  ["a scalar tensor", "tensor(3.1400)", [], "3.1400"],
  ["a NumPy scalar", "np.float32(2.5)", [], "2.5"],
  ["one number", "2.0", [], "2.0"],
  ["one number as a whole", "7", [], "7"],
  ["CSV", "1,2,3\n4,5,6\n", [2, 3], "[[1,2,3],[4,5,6]]"],
  ["CSV with a heading", "a,b\n1,2\n3,4", [2, 2], "[[1,2],[3,4]]"],
  ["CSV in quotes with carriage returns", '"1.5","2"\r\n"3","4"\r\n', [2, 2], "[[1.5,2],[3,4]]"],
  ["a row", "1, 2, 3", [3], "[1,2,3]"],
  ["a column", "1\n2\n3", [3], "[1,2,3]"],
  ["a decimal comma between semicolons", "1,5;2,5\n3,5;4", [2, 2], "[[1.5,2.5],[3.5,4]]"],
  ["a decimal comma between tabs", "-1,5\t,25\n3\t1,5e3", [2, 2], "[[-1.5,0.25],[3,1.5e3]]"],
  ["a decimal point between semicolons", "1.5;2\n3;4", [2, 2], "[[1.5,2],[3,4]]"],
  ["numbers between tabs", "1\t2\n3\t4", [2, 2], "[[1,2],[3,4]]"],
  ["numbers between spaces", "1 2\n3 4", [2, 2], "[[1,2],[3,4]]"],
  ["one number and a comma", "5,", [1], "[5]"],
  ["a mask", "[[True, False], [False, True]]", [2, 2], "[[true,false],[false,true]]"],
  ["infinities", "tensor([[0., -inf], [inf, Infinity]])", [2, 2], '[[0.0,"-Infinity"],["Infinity","Infinity"]]'],
  ["CSV with infinities", "1,-inf", [2], '[1,"-Infinity"]'],
  ["a tensor without cells", "[]", [0], "[]"],
  ["rows without cells", "[[], []]", [2, 0], "[[],[]]"],
  ["Python's own spellings", "[1_000, +2, 007, 2.e-5]", [4], "[1000,2,7,2.0e-5]"],
]);

for (const [what, text, shape, json] of READ) {
  test(`reads ${what}`, () => {
    const values = parseValues(text);
    assert.deepEqual(values.shape, shape);
    assert.equal(values.json, json);
    JSON.parse(values.json);
  });
}

/** [what it is, the text, what the message says] */
const REFUSED = /** @type {[string, string, RegExp][]} */ ([
  ["nothing", "  \n ", /Type numbers/],
  ["a word", "[1, two, 3]", /Line 1: `two` is not a number/],
  ["a word on a later line", "1,2\n3,x", /Line 2: `x` is not a number/],
  ["an empty cell", "1,,3", /Line 1: a cell is empty/],
  ["ragged lists", "[[1, 2], [3]]", /Row 2 has 1 entry, row 1 has 2/],
  ["ragged CSV", "1,2\n3,4\n5", /Row 3 has 1 entry, row 1 has 2/],
  ["numbers beside lists", "[1, [2]]", /side by side/],
  ["lists beside numbers", "[[1], 2]", /side by side/],
  ["an open bracket", "[[1, 2], [3, 4]", /closing bracket `]` is missing/],
  ["two open brackets", "[[1, 2", /2 closing brackets/],
  ["one bracket too many", "[1, 2]]", /after the last bracket/],
  ["a shortened print-out", "[[1. 2. ... 3.]]", /shortened/],
  ["a shortened tensor", "tensor([[1., 2.],\n ...,\n [3., 4.]])", /shortened/],
  ["NaN", "[1, nan]", /`nan` is no number that a tensor can be given/],
  ["rows of which one is empty", "[[], [1]]", /all rows must be equally long/],
  ["a number beyond all", "[1e999]", /too large/],
  ["nine axes", "[[[[[[[[[1]]]]]]]]]", /at most 8 axes/],
  ["a program", "import os; os.system('x')[0]", /Before the first bracket/],
  ["a call after the brackets", "[1, 2]; rm", /after the last bracket/],
  ["truth values beside numbers", "[True, 0]", /Numbers and truth values stand side by side/],
  ["a complex number", "[1+2j]", /`1\+2j` is not a number/],
]);

for (const [what, text, message] of REFUSED) {
  test(`refuses ${what}`, () => {
    assert.throws(
      () => parseValues(text),
      (error) => error instanceof PasteError && message.test(error.message),
    );
  });
}

test("says whether the numbers are whole, and their range", () => {
  assert.equal(parseValues("[1, 2]").whole, true);
  assert.equal(parseValues("[1., 2.]").whole, false);
  const { least, most } = parseValues("[[3, -7], [0, 2]]");
  assert.deepEqual([least, most], [-7, 3]);
});

test("tells a mask from numbers", () => {
  const { mask, whole, least, most } = parseValues("[True, False]");
  assert.deepEqual([mask, whole, least, most], [true, false, 0, 1]);
  assert.equal(parseValues("[1, 0]").mask, false);
});

test("a large paste is read at once, however many lines it has", () => {
  const text = `[${Array.from({ length: 20_000 }, (_, i) => `[${i}, 1.5, -2, 3e-4, 5]`).join(",\n ")}]`;
  const start = process.cpuUsage();
  assert.deepEqual(parseValues(text).shape, [20_000, 5]);
  assert.ok(process.cpuUsage(start).user < 3e6, "time must grow with the text, not with its square");
});

test("a comma that was read as a decimal one is told, one between numbers is not", () => {
  assert.equal(parseValues("1,5;2,5\n3,5;4,5").note, "decimal comma");
  assert.equal(parseValues("a;b\n1,5;2,5").note, "heading skipped, decimal comma");
  assert.equal(parseValues("1,5\n2,5").note, "");
  assert.equal(parseValues("1;2\n3;4").note, "");
});
