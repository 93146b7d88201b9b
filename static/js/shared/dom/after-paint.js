/** Calls back once what has just been written to the page has been painted. @param {() => void} painted */
export function afterPaint(painted) {
  // the message arrives after the frame that the animation callback belongs to has been painted
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = painted;
    channel.port2.postMessage(null);
  });
}
