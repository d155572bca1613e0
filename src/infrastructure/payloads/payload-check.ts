import type { EventReads, RecordedEvent } from '../../application/kernel/event-store.port.js';
import { someAtOnce } from '../../application/kernel/outside-payloads.js';
import { digestOf, type PayloadStore } from '../../application/kernel/payload-store.port.js';
import { outsidePayloadOf } from '../../domain/task/outside-payload.js';
import { taskIdOf } from '../../domain/task/task.stream.js';

/** What is wrong with a payload outside the log. PAYLOAD_MISSING: it is gone. PAYLOAD_CHANGED: it is not what was submitted. */
export interface PayloadFinding {
  readonly kind: 'PAYLOAD_MISSING' | 'PAYLOAD_CHANGED';
  /** Of the event that names it. */
  readonly position: bigint;
  readonly says: string;
}

const EVENTS_AT_ONCE = 1_000;

/** Reads every payload that an event names, and compares its digest. Returns how many there are. Rejects if the store does not answer. */
export async function checkPayloads(
  log: Pick<EventReads, 'head' | 'scan'>,
  store: PayloadStore,
  find: (finding: PayloadFinding) => void,
): Promise<number> {
  const upTo = await log.head();
  let payloads = 0;
  for (let after = 0n; after < upTo;) {
    const { events, reached } = await log.scan({ after, upTo }, EVENTS_AT_ONCE, { categories: ['task'] });
    const naming = events.filter(({ event }) => outsidePayloadOf(event) !== null);
    for (const finding of await someAtOnce(naming, (one) => findingIn(one, store))) if (finding) find(finding);
    payloads += naming.length;
    after = reached;
  }
  return payloads;
}

async function findingIn(
  { stream, position, event }: RecordedEvent,
  store: PayloadStore,
): Promise<PayloadFinding | null> {
  const task = taskIdOf(stream);
  const outside = outsidePayloadOf(event)!;
  const text = await store.get({ task, ...outside }, outside.bytes);
  const what = `the payload ${outside.sha256} of task ${task}, stored on ${outside.day},`;
  if (text === null) return { kind: 'PAYLOAD_MISSING', position, says: `${what} is not in the payload store` };
  const found = digestOf(text);
  if (found === outside.sha256) return null;
  return { kind: 'PAYLOAD_CHANGED', position, says: `${what} has the digest ${found} in the payload store` };
}
