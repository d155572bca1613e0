import { Agent, get } from 'node:http';

/** Opens streams from the beginning of the log, each with another filter that matches nothing. */
export function openStreams(url, count) {
  const begun = performance.now();
  const agent = new Agent({ maxSockets: Infinity });
  const readers = Array.from({ length: count }, (_, at) => openStream(url, at, agent));
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

/** A stream has caught up with its first message after the one that opens it: a position, because nothing matches. */
function openStream(url, at, agent) {
  const request = get(`${url}/v1/events/stream?actor=nobody-${at}`, { agent });
  const messages = on(request, (text) => text.match(/^id: \d+$/gm)?.length ?? 0);
  return { opened: messages(1), caughtUp: messages(2), close: () => request.destroy() };
}

function on(request, countIn) {
  let seen = 0;
  const waiting = [];
  request.on('error', () => undefined);
  request.on('response', (response) => {
    response.on('error', () => undefined);
    response.setEncoding('utf8').on('data', (text) => {
      seen += countIn(text);
      for (const { count, resolve } of waiting) if (seen >= count) resolve();
    });
  });
  return (count) => new Promise((resolve) => waiting.push({ count, resolve }));
}
