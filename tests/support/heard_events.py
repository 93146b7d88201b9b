"""The events of streams as they reach a page, for scripts that note them before the page does anything with them."""

# Calls `window.heardEvent` with the path of the stream, the event's number and its document, for each that comes.
HEARD = """(() => {
  const ask = window.fetch;
  const note = async (path, body) => {
    const [reader, decoder] = [body.getReader(), new TextDecoder()];
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true }));
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\\n\\n");
      rest = blocks.pop();
      for (const block of blocks) {
        const told = /^id: (\\d+)\\ndata: (.*)$/.exec(block);
        if (told) window.heardEvent(path.split("?")[0], Number(told[1]), JSON.parse(told[2]));
      }
    }
  };
  window.fetch = async (path, options) => {
    const response = await ask(path, options);
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
    const [own, theirs] = response.body.tee();
    void note(String(path), own);
    return new Response(theirs, response);
  };
})();"""
