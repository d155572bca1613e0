// The same append sent twice, the second up to GAP milliseconds after the first: how long the slower one takes. It shows
// the server, so there is no goal.
//   node bench/servers/equal-appends.mjs URL [--gap 0] [--pairs 12]
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openClient } from '../eventstoredb/raw-client.mjs';
import { median } from '../measure/quantiles.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { gap: { type: 'string', default: '0' }, pairs: { type: 'string', default: '12' } },
});
const [gapMs, pairs] = [Number(values.gap), Number(values.pairs)];

const LONG_MS = 500;
const none = 'no_stream';

const { client, jsonEvent } = await openClient(positionals[0]);
const [errors, slower] = [{}, []];
await timed(`equal-${randomUUID()}`, [jsonEvent({ type: 'warm', data: {} })]);
for (let pair = 0; pair < pairs; pair++) {
  const [stream, events] = [`equal-${randomUUID()}`, [jsonEvent({ type: 'equal', data: { pair } })]];
  const first = timed(stream, events);
  if (gapMs > 0) await pause(Math.random() * gapMs);
  slower.push(Math.max(...(await Promise.all([first, timed(stream, events)]))));
}
const long = slower.filter((ms) => ms > LONG_MS).length;
console.log(JSON.stringify({ gapMs, pairs, medianMs: median(slower), longestMs: Math.max(...slower), long, errors }));
await client.dispose();

async function timed(stream, events) {
  const began = performance.now();
  try {
    await client.appendToStream(stream, events, { expectedRevision: none, streamState: none });
  } catch (error) {
    const name = error.type ?? error.message;
    errors[name] = (errors[name] ?? 0) + 1;
  }
  return performance.now() - began;
}
