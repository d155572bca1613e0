import { Agent, get } from 'node:http';

/** Opens streams from the beginning of a log of so many events, each with another filter that matches nothing. */
export function openStreams(url, count, events) {
  const begun = performance.now();
  const agent = new Agent({ maxSockets: Infinity });
  const readers = Array.from({ length: count }, (_, at) => openStream(url, at, agent, events));
  let caughtUpAt = null;
  const caughtUp = Promise.all(readers.map((reader) => reader.caughtUp)).then(() => {
    caughtUpAt = performance.now();
  });
  return {
    opened: Promise.all(readers.map((reader) => reader.opened)),
    caughtUp,
    secondsToCatchUp: () => (caughtUpAt - begun) / 1_000,
    close: () => readers.forEach((reader) => reader.close()),
  };
}

/** Its messages say how far it looked through the log, because nothing matches. */
function openStream(url, at, agent, events) {
  const request = get(`${url}/v1/events/stream?actor=nobody-${at}`, { agent });
  const reached = follow(request);
  return { opened: reached(0), caughtUp: reached(events), close: () => request.destroy() };
}

/** Returns a function whose promise resolves when a message has the position, or a later one. */
function follow(request) {
  let at = -1;
  const waiting = [];
  request.on('error', () => undefined);
  request.on('response', (response) => {
    response.on('error', () => undefined);
    response.setEncoding('utf8').on('data', (text) => {
      for (const [, id] of text.matchAll(/^id: (\d+)$/gm)) at = Number(id);
      for (const { position, resolve } of waiting) if (at >= position) resolve();
    });
  });
  return (position) => new Promise((resolve) => waiting.push({ position, resolve }));
}
