import type { QueueCommandOf, QueueCommandType } from '../../../src/domain/queue/queue.commands.js';
import type { QueueEvent, QueueEventType } from '../../../src/domain/queue/queue.events.js';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import type { QueueState } from '../../../src/domain/queue/queue.state.js';

export const event = <T extends QueueEventType>(
  type: T,
  data: Omit<Extract<QueueEvent, { readonly type: T }>['data'], 'queue'>,
) => ({ type, version: 1, data: { queue: 'ingest', ...data } }) as unknown as QueueEvent;

export const NOW = '2026-03-01T10:00:00.000Z';
export const LATER = '2026-03-01T11:00:00.000Z';
export const STRICT = { ...DEFAULT_POLICY, keyRequired: true };
const GIVEN = { now: NOW, by: 'olga', queue: 'ingest' };

type Fields<T extends QueueCommandType> = Omit<QueueCommandOf<T>, 'type' | 'now' | 'by' | 'queue'>;
const build =
  <T extends QueueCommandType>(type: T, defaults: Fields<T>) =>
  (changes: Partial<QueueCommandOf<T>> = {}) =>
    ({ type, ...GIVEN, ...defaults, ...changes }) as QueueCommandOf<T>;

export const command = {
  DefineQueue: build('DefineQueue', { name: 'ingest', description: '', policy: DEFAULT_POLICY }),
  ChangePolicy: build('ChangePolicy', { description: '', policy: STRICT, ifVersion: null }),
  PauseQueue: build('PauseQueue', { reason: 'deploy', until: null }),
  ResumeQueue: build('ResumeQueue', {}),
  EndPause: build('EndPause', {}),
  CloseIntake: build('CloseIntake', { reason: 'moving' }),
  OpenIntake: build('OpenIntake', {}),
  FinishQueue: build('FinishQueue', {}),
  ReopenQueue: build('ReopenQueue', {}),
  DeleteQueue: build('DeleteQueue', {}),
} satisfies Record<QueueCommandType, unknown>;

export const defined = event('QueueDefined', { description: '', policy: DEFAULT_POLICY, policyVersion: 1 });
export const paused = (until: string | null = null) => event('QueuePaused', { by: 'olga', reason: 'deploy', until });
export const closed = event('QueueIntakeClosed', { by: 'olga', reason: 'moving' });
export const finished = event('QueueFinished', { by: 'olga' });
export const deleted = event('QueueDeleted', { by: 'olga' });

export const HISTORIES: Readonly<Record<QueueState['status'], readonly QueueEvent[]>> = {
  unknown: [],
  active: [defined],
  paused: [defined, paused()],
  finished: [defined, finished],
  deleted: [defined, deleted],
};
