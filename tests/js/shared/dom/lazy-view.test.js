import assert from "node:assert/strict";
import { test } from "node:test";
import { lazyView } from "../../../../static/js/shared/dom/lazy-view.js";

/** A view that counts what becomes of it. */
function counted() {
  const told = { mounted: 0, used: 0, unmounted: 0, failed: 0 };
  const view = lazyView(
    async () => {
      told.mounted += 1;
      return {
        use: () => {
          told.used += 1;
        },
        unmount: () => {
          told.unmounted += 1;
        },
      };
    },
    () => {
      told.failed += 1;
    },
  );
  return { told, view };
}

test("it is mounted once, when first wanted, and unmounted with the page", async () => {
  const { told, view } = counted();
  assert.equal(told.mounted, 0);
  await view.use((one) => one.use());
  await view.use((one) => one.use());
  view.unmount();
  assert.deepEqual(told, { mounted: 1, used: 2, unmounted: 1, failed: 0 });
});

test("one that arrives when its page has left is not shown", async () => {
  const { told, view } = counted();
  const using = view.use((one) => one.use());
  view.unmount();
  await using;
  assert.deepEqual(told, { mounted: 1, used: 0, unmounted: 1, failed: 0 });
});

test("code that did not arrive is said to be missing, and asked for again", async (context) => {
  context.mock.method(console, "error", () => undefined);
  let tries = 0;
  let failed = 0;
  const view = lazyView(
    async () => {
      tries += 1;
      if (tries === 1) throw new TypeError("offline");
      return { unmount: () => undefined };
    },
    () => {
      failed += 1;
    },
  );
  await view.use(() => undefined);
  await view.use(() => undefined);
  view.unmount();
  assert.deepEqual([tries, failed], [2, 1]);
});
