import type { QueueCommand, QueueCommandOf, QueueCommandType } from '../../../src/domain/queue/queue.commands.js';
import type { QueueEvent, QueueEventType } from '../../../src/domain/queue/queue.events.js';
import type { AwaitedQueue } from '../../../src/domain/queue/dependencies.js';
import { DEFAULT_POLICY, type QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { EVENTS } from '../../../src/domain/events.js';
import type { QueueState } from '../../../src/domain/queue/queue.state.js';

export const event = <T extends QueueEventType>(
  type: T,
  data: Omit<Extract<QueueEvent, { readonly type: T }>['data'], 'queue'>,
) => ({ type, version: EVENTS[type].version, data: { queue: 'ingest', ...data } }) as unknown as QueueEvent;

export const NOW = '2026-03-01T10:00:00.000Z';
export const LATER = '2026-03-01T11:00:00.000Z';
export const STRICT = { ...DEFAULT_POLICY, keyRequired: true };
/** It waits for another queue. */
export const SECOND = { ...DEFAULT_POLICY, waitsFor: ['first'] };
export const CLOSED_ONCE = { ...DEFAULT_POLICY, finite: true };
export const CAREFUL = { ...DEFAULT_POLICY, pauseAfterFailures: 2 };
export const FAILURE = { taskId: 't1', class: 'transient' } as const;
export const first = (status: AwaitedQueue['status'], waitsFor: readonly string[] = []): AwaitedQueue[] => [
  { name: 'first', status, waitsFor },
];
const GIVEN = { now: NOW, by: 'olga', queue: 'ingest' };

type Fields<T extends QueueCommandType> = Omit<QueueCommandOf<T>, 'type' | 'now' | 'by' | 'queue'>;
const build =
  <T extends QueueCommandType>(type: T, defaults: Fields<T>) =>
  (changes: Partial<QueueCommandOf<T>> = {}) =>
    ({ type, ...GIVEN, ...defaults, ...changes }) as QueueCommandOf<T>;

export const command = {
  DefineQueue: build('DefineQueue', {
    name: 'ingest',
    description: '',
    policy: DEFAULT_POLICY,
    replace: false,
    awaited: [],
  }),
  ChangePolicy: build('ChangePolicy', { description: '', policy: STRICT, ifVersion: null, awaited: [] }),
  SetLimit: build('SetLimit', { label: 'customer', value: 'acme', limits: { maxRunning: 2 } }),
  UnsetLimit: build('UnsetLimit', { label: 'customer', value: 'acme' }),
  PauseQueue: build('PauseQueue', { reason: 'deploy', until: null }),
  PauseAfterFailures: build('PauseAfterFailures', { failure: FAILURE }),
  ResumeQueue: build('ResumeQueue', { awaited: [] }),
  EndPause: build('EndPause', { awaited: [] }),
  EndWait: build('EndWait', { awaited: first('finished') }),
  CloseIntake: build('CloseIntake', { reason: 'moving' }),
  OpenIntake: build('OpenIntake', {}),
  FinishQueue: build('FinishQueue', {}),
  FinishDrained: build('FinishDrained', {}),
  ReopenQueue: build('ReopenQueue', { awaited: [] }),
  DeleteQueue: build('DeleteQueue', {}),
} satisfies Record<QueueCommandType, unknown>;

export const definedWith = (policy: QueuePolicy) =>
  event('QueueDefined', { description: '', policy, policyVersion: 1 });
export const defined = definedWith(DEFAULT_POLICY);
export const waiting = event('QueueWaiting', { waitsFor: ['first'] });
export const paused = (until: string | null = null) => event('QueuePaused', { by: 'olga', reason: 'deploy', until });
export const closed = event('QueueIntakeClosed', { by: 'olga', reason: 'moving' });
export const finished = event('QueueFinished', { by: 'olga' });
export const deleted = event('QueueDeleted', { by: 'olga' });

export const HISTORIES: Readonly<Record<QueueState['status'], readonly QueueEvent[]>> = {
  unknown: [],
  active: [defined],
  paused: [defined, paused()],
  waiting: [definedWith(SECOND), waiting],
  finished: [defined, finished],
  deleted: [defined, deleted],
};

/** Besides `HISTORIES`: queues whose policy changes their state. */
export const MORE_HISTORIES: readonly (readonly QueueEvent[])[] = [
  [defined, paused(NOW)],
  [definedWith(SECOND)],
  [definedWith(SECOND), paused(NOW)],
  [definedWith(SECOND), finished],
  [definedWith(CLOSED_ONCE), closed],
  [definedWith(CAREFUL)],
];

/** Every command in its usual form, and those that find an awaited queue unfinished. */
export const VARIANTS: readonly QueueCommand[] = [
  ...Object.values(command).map((build) => build() as QueueCommand),
  command.DefineQueue({ policy: SECOND, awaited: first('active') }),
  command.DefineQueue({ policy: SECOND, awaited: first('active'), replace: true }),
  command.DefineQueue({ replace: true }),
  command.ChangePolicy({ policy: SECOND, awaited: first('active') }),
  command.ResumeQueue({ awaited: first('active') }),
  command.EndPause({ awaited: first('active') }),
  command.ReopenQueue({ awaited: first('active') }),
];
