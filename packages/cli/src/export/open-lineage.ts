import { derivedId, type EventView } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import { type Attempt, Attempts, type AttemptStep, type Outcome } from './attempts.js';
import type { EventFormat } from './event-format.js';

const NAMESPACE = 'waybill';
const PRODUCER = 'urn:waybill:log-export';
const SPEC = 'https://openlineage.io/spec';

const STATES: Readonly<Record<Outcome, string>> = { succeeded: 'COMPLETE', failed: 'FAIL', aborted: 'ABORT' };

/** OpenLineage, a RunEvent a line: where an attempt starts and where it ends. An attempt is a run, whose parent is its task. */
export const openLineage: EventFormat = async function* (events) {
  const attempts = new Attempts();
  for await (const event of events) {
    const step = attempts.step(event);
    if (step) yield jsonLine(await runEventOf(event, step));
  }
};

async function runEventOf(event: EventView, step: AttemptStep) {
  const { attempt } = step;
  return {
    eventType: step.at === 'start' ? 'START' : STATES[step.outcome],
    eventTime: event.recordedAt,
    run: {
      runId: await derivedId('waybill attempt', `${attempt.stream} ${attempt.token}`),
      facets: { parent: parentOf(attempt), waybill_attempt: ownOf(event, attempt) },
    },
    job: { namespace: NAMESPACE, name: `${attempt.queue}.attempt` },
    inputs: [],
    outputs: [],
    producer: PRODUCER,
    schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
  };
}

const parentOf = ({ stream, queue }: Attempt) => ({
  _producer: PRODUCER,
  _schemaURL: `${SPEC}/facets/1-0-1/ParentRunFacet.json#/$defs/ParentRunFacet`,
  run: { runId: stream.slice('task-'.length) },
  job: { namespace: NAMESPACE, name: queue },
});

/** A facet of our own: what OpenLineage has no word for. */
const ownOf = ({ id, type, position }: EventView, { attempt, worker, token }: Attempt) => ({
  _producer: PRODUCER,
  _schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunFacet`,
  attempt,
  worker,
  token,
  event: { id, type, position },
});
