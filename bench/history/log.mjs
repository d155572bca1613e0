import { drain, fill } from '../graph/work.mjs';

/** Tasks that live between two looks at how long the log is. */
const ROUND = 20_000;
const FAILED = { type: 'fail', error: { message: 'no', class: 'business' } };
/** Longer than any run of the bench. */
const LEASE_MS = 12 * 3_600_000;

/**
 * Writes a log of so many events through the service. First `open` tasks that stay: half of them in extents, a quarter with keys, and the
 * rest held, running or failed. Then whole lives. Returns how many events the log has.
 */
export async function build(waybill, head, { events, open }, say) {
  const busy = waybill.queue('busy');
  await busy.define();
  await stay(waybill, open);
  for (let written = await head(); written < events; written = await head()) {
    const tasks = Math.min(ROUND, Math.ceil((events - written) / 3));
    await fill(busy, tasks);
    await drain(waybill, busy, tasks);
    say(`${written} events`);
  }
  return head();
}

async function stay(waybill, open) {
  const [line, keyed, rest] = ['line', 'keyed', 'rest'].map((name) => waybill.queue(name));
  for (const queue of [line, keyed, rest]) await queue.define({ duplicatePending: 'allow' });
  await fill(line, Math.ceil(open / 2));
  await fill(keyed, Math.ceil(open / 4), {}, { keyed: true });
  const some = Math.ceil(open / 12);
  await fill(rest, 2 * some);
  await fail(waybill, rest, some);
  for (let left = some; left > 0; left -= 500)
    await rest.claim({ worker: 'w', max: Math.min(left, 500), leaseMs: LEASE_MS });
  await fill(rest, some, { hold: {} });
}

async function fail(waybill, queue, tasks) {
  for (let left = tasks; left > 0; left -= 500) {
    const claimed = await queue.claim({ worker: 'w', max: Math.min(left, 500) });
    await waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict: FAILED })));
  }
}
