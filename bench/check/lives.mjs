const START = Date.parse('2026-11-21T08:00:00.000Z');
const QUEUE = 'mail';
const POLICY = { onFailure: 'retry', concurrency: 'unlimited', maxRunning: null, duplicatePending: 'allow' };

/** The lines of an export: lives of three events, of which `open` are under way at a time. */
export function* linesOf({ tasks, open, private: isWhole }) {
  const log = new Lines();
  yield log.other({ format: 'waybill-log', version: 1, private: isWhole });
  yield log.event('queue-mail', 0, 'QueueDefined', {
    queue: QUEUE,
    description: '',
    policy: { ...POLICY, intake: { open: true } },
    policyVersion: 1,
  });
  for (let n = 0; n < tasks + open; n++) {
    if (n < tasks) yield log.enqueue(n, isWhole);
    if (n >= open) yield* log.run(n - open, isWhole);
  }
  yield log.other({ end: { events: log.events } });
}

class Lines {
  events = 0;
  token = 0;

  other(line) {
    return `${JSON.stringify(line)}\n`;
  }

  event(stream, revision, type, data) {
    const position = String(++this.events);
    const recordedAt = new Date(START + this.events * 10).toISOString();
    const id = `01900000-0000-7000-9000-${this.events.toString(16).padStart(12, '0')}`;
    const envelope = { actor: 'w1', correlationId: id };
    return this.other({ position, stream, revision, id, type, version: 1, recordedAt, data, envelope });
  }

  enqueue(n, isWhole) {
    const contents = isWhole ? { key: `k${n}`, payload: { to: 'ann@example.org', n } } : {};
    return this.event(streamOf(n), 0, 'TaskEnqueued', { queue: QUEUE, kind: 'mail', ...contents });
  }

  *run(n, isWhole) {
    const token = String(++this.token);
    const claimedAt = new Date(START + this.events * 10).toISOString();
    const claim = { queue: QUEUE, attempt: 1, token, worker: 'w1', server: 's', claimId: `c${n}`, leaseMs: 30_000 };
    yield this.event(streamOf(n), 1, 'TaskClaimed', { ...claim, claimedAt, waitedMs: 1 });
    const ended = { queue: QUEUE, attempt: 1, token, worker: 'w1', ranMs: 10 };
    yield this.event(streamOf(n), 2, 'TaskSucceeded', { ...ended, ...(isWhole && { key: `k${n}` }) });
  }
}

const streamOf = (n) => `task-01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
