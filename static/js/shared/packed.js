const LARGEST = 2 ** 20;

/** @param {string} text @returns {Promise<string>} the same, short enough for an address's fragment */
export async function packText(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} packed @returns {Promise<string>} @throws for what was cut, changed, or unpacks to too much */
export async function unpackText(packed) {
  const binary = atob(packed.replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return limited(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
}

/** @param {ReadableStream<Uint8Array>} stream @returns {Promise<string>} @throws beyond the bound */
async function limited(stream) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > LARGEST) {
      await reader.cancel();
      throw new RangeError("too large");
    }
    parts.push(part.value);
  }
  return new Blob(/** @type {BlobPart[]} */ (parts)).text();
}
