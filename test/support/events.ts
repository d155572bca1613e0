import { uuidv7 } from 'uuidv7';
import type { AppendItem, EventToAppend, AppendConditions } from '../../src/application/kernel/event-store.port.js';
import { NO_STREAM } from '../../src/application/kernel/event-store.port.js';
import type { DomainEvent } from '../../src/domain/kernel/decider.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../src/domain/queue/queue.policy.js';
import { queueStream } from '../../src/domain/queue/queue.stream.js';
import type { Submission } from '../../src/domain/task/task.events.js';
import { taskStream } from '../../src/domain/task/task.stream.js';

export const ENVELOPE = { actor: 'tester', correlationId: 'test' };

export const toAppend = (event: DomainEvent): EventToAppend => ({ id: uuidv7(), event, envelope: ENVELOPE });

export const item = (
  stream: string,
  expected: number,
  events: readonly DomainEvent[],
  conditions?: AppendConditions,
): AppendItem => ({
  stream,
  expected,
  events: events.map(toAppend),
  ...(conditions && { conditions }),
});

export const queueDefined = (queue: string, policy: Partial<QueuePolicy> = {}): DomainEvent => ({
  type: 'QueueDefined',
  version: 1,
  data: { queue, description: '', policy: { ...DEFAULT_POLICY, ...policy }, policyVersion: 1 },
});

export const defineQueue = (queue: string, policy: Partial<QueuePolicy> = {}): AppendItem =>
  item(queueStream(queue), NO_STREAM, [queueDefined(queue, policy)]);

export const policyChanged = (queue: string, policy: Partial<QueuePolicy>, policyVersion = 2): AppendItem => {
  const { data, version } = queueDefined(queue, policy);
  const changed = { type: 'QueuePolicyChanged', version, data: { ...data, policyVersion } } as const;
  return item(queueStream(queue), policyVersion - 2, [changed]);
};

export const enqueued = (queue: string, rest: Partial<Submission> = {}): DomainEvent => ({
  type: 'TaskEnqueued',
  version: 1,
  data: { queue, kind: 'task', ...rest },
});

/** An enqueue of a new task; the id is in its stream's name. */
export const enqueue = (
  queue: string,
  rest: Partial<Submission> = {},
  conditions?: AppendConditions,
  id = uuidv7(),
): AppendItem => item(taskStream(id), NO_STREAM, [enqueued(queue, rest)], conditions);

let lastToken = 1_000_000;

export interface ClaimedTask {
  readonly item: AppendItem;
  readonly token: string;
  readonly secret: string;
}

export function claim(
  of: AppendItem,
  options: { expected?: number; leaseMs?: number; claimId?: string; tokens?: number; worker?: string } = {},
): ClaimedTask {
  const { expected = 0, leaseMs = 30_000, claimId = uuidv7(), tokens = 0, worker = 'w1' } = options;
  const token = String(tokens + ++lastToken);
  const secret = uuidv7();
  const { queue } = of.events[0]!.event.data as { queue: string };
  const event = {
    type: 'TaskClaimed',
    version: 1,
    data: {
      queue,
      attempt: 1,
      token,
      worker,
      server: 's1',
      claimId,
      leaseMs,
      claimedAt: new Date().toISOString(),
      waitedMs: 0,
    },
  };
  return { item: { ...item(of.stream, expected, [event]), leaseSecret: secret }, token, secret };
}

export const succeeded = (queue: string, token: string, rest: object = {}): DomainEvent => ({
  type: 'TaskSucceeded',
  version: 1,
  data: { queue, attempt: 1, token, worker: 'w1', ranMs: 1, ...rest },
});

export const failed = (queue: string, token: string, key?: string): DomainEvent[] => [
  {
    type: 'TaskAttemptFailed',
    version: 1,
    data: { queue, attempt: 1, token, worker: 'w1', ranMs: 1, error: { message: 'broken', class: 'business' } },
  },
  {
    type: 'TaskFailed',
    version: 1,
    data: {
      queue,
      from: 'running',
      ...(key !== undefined && { key }),
      error: { message: 'broken', class: 'business' },
      final: false,
      decidedBy: 'policy',
    },
  },
];
