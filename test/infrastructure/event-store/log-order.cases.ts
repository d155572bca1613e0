import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import {
  type AppendItem,
  type EventStore,
  type EventToAppend,
  type AppendConditions,
  NO_STREAM,
} from '../../../src/application/kernel/event-store.port.js';
import { entryOf } from '../../../src/domain/events.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { queueDecider } from '../../../src/domain/queue/queue.decider.js';
import type { QueueEvent } from '../../../src/domain/queue/queue.events.js';
import type { QueueState } from '../../../src/domain/queue/queue.state.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import type { QueuePolicy } from '../../../src/domain/queue/queue.policy.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import type { TaskEvent } from '../../../src/domain/task/task.events.js';
import type { TaskState } from '../../../src/domain/task/task.state.js';
import { claim, defineQueue, enqueue, failed, item, succeeded } from '../../support/events.js';
import { violationsIn } from '../../../src/check/log-check.js';
import { scanned } from '../../support/scanned.js';

const POLICY: Partial<QueuePolicy> = { uniqueReference: 'open' };

/** Every rule holds at every position of the log, so a replay to any position shows a possible state. */
export function logOrderCases(storeOf: () => EventStore): void {
  let queue: string;
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await storeOf().append([defineQueue(queue, POLICY)]);
  });

  const broken = async (of: string): Promise<readonly string[]> => {
    const events = await scanned(storeOf(), { queue: of });
    const found = violationsIn(events, { isWhole: true, claimsTakeTurns: false });
    return found.filter(({ invariant }) => ['I5', 'I6'].includes(invariant)).map(({ says }) => says);
  };

  it('puts what a success frees before what takes it in the same append', async () => {
    const holder = enqueue(queue, { key: 'k', reference: 'r' });
    await storeOf().append([holder]);
    const { item: claimed, token, secret } = claim(holder);
    await storeOf().append([claimed]);
    const success = item(holder.stream, 1, [succeeded(queue, token, { key: 'k' })], { lease: { token, secret } });
    const others = [enqueue(queue), enqueue(queue, { reference: 'r' }), enqueue(queue, { key: 'k' })];
    const results = await storeOf().append([...others, success]);
    expect(results[3]).toMatchObject({ kind: 'appended', revision: 2 });
    const streams = [...others, success].map(({ stream }) => stream);
    const stored = await storeOf().readStreams(streams);
    expect(results.map((result) => 'position' in result && result.position)).toEqual(
      stored.map((events) => events.at(-1)?.position ?? false),
    );
    expect(await broken(queue)).toEqual([]);
  });

  it('holds every rule at every position, whatever comes in one append', async () => {
    const batches = fc.array(fc.array(STEP, { minLength: 1, maxLength: 8 }), {
      minLength: 1,
      maxLength: 10,
      size: 'max',
    });
    const holds = fc.asyncProperty(batches, async (steps) => {
      const name = `q-${uuidv7()}`;
      const life = new Life(storeOf(), name);
      await life.begin();
      for (const batch of steps) await life.play(batch);
      expect(await broken(name)).toEqual([]);
    });
    await fc.assert(holds, { numRuns: 40 });
  });
}

const STEP = fc.record({
  of: fc.constantFrom('a new task', 'a new task', 'a new task', 'a task', 'a task', 'a task', 'the queue'),
  which: fc.nat(50),
  action: fc.nat(5),
  key: fc.constantFrom(undefined, 'a', 'b'),
  reference: fc.constantFrom(undefined, 'r', 's'),
  claims: fc.boolean(),
});

type Step = typeof STEP extends fc.Arbitrary<infer S> ? S : never;

interface Known {
  readonly stream: string;
  readonly revision: number;
  readonly state: TaskState;
  /** The secret of its last claim. */
  readonly secret: string;
}

/** The tasks of one queue, many of which change in one append. A refused change has no effect. */
class Life {
  private readonly tasks = new Map<string, Known>();
  private known: { readonly revision: number; readonly state: QueueState } = {
    revision: NO_STREAM,
    state: queueDecider.initialState,
  };

  constructor(
    private readonly store: EventStore,
    private readonly queue: string,
  ) {}

  begin(): Promise<void> {
    return this.append([defineQueue(this.queue, POLICY)]);
  }

  async play(steps: readonly Step[]): Promise<void> {
    const items = new Map<string, AppendItem>();
    for (const step of steps) {
      const next = this.itemOf(step);
      if (next && !items.has(next.stream)) items.set(next.stream, next);
    }
    // Claims concern ready tasks, none of which changes meanwhile.
    await this.append([...items.values()]);
    const [first] = steps as [Step];
    if (first.claims) await this.append([...this.claimsOfReady(), this.queueChange(first)]);
  }

  private itemOf(step: Step): AppendItem | null {
    if (step.of === 'the queue') return this.queueChange(step);
    return step.of === 'a new task' ? this.newTask(step) : this.change(step);
  }

  /** A new task, if the queue accepts it according to what its producer knows. */
  private newTask({ key, reference }: Step): AppendItem | null {
    const { state } = this.known;
    if (!('queue' in state) || state.status === 'finished' || !state.queue.intake.open) return null;
    return enqueue(this.queue, { ...(key && { key }), ...(reference && { reference }) }, this.asSeen);
  }

  private queueChange({ action }: Step): AppendItem {
    const { state, revision } = this.known;
    const finish = action === 5 && state.status !== 'finished';
    const type = finish ? 'QueueFinished' : this.nextOfQueue(action);
    const data = { queue: this.queue, by: 'x', reason: null, until: null };
    return item(
      queueStream(this.queue),
      revision,
      [{ type, version: entryOf(type)!.version, data }],
      finish ? { queueEmpty: this.queue } : {},
    );
  }

  private nextOfQueue(action: number): string {
    const { state } = this.known;
    if (state.status === 'finished') return 'QueueReopened';
    if (action % 2 === 0) return state.status === 'paused' ? 'QueueResumed' : 'QueuePaused';
    return 'queue' in state && state.queue.intake.open ? 'QueueIntakeClosed' : 'QueueIntakeOpened';
  }

  private get asSeen(): AppendConditions {
    return { queue: { name: this.queue, revision: this.known.revision } };
  }

  private change({ which, action }: Step): AppendItem | null {
    const known = [...this.tasks.values()][which % Math.max(1, this.tasks.size)];
    const choices = known ? this.choices(known) : [];
    if (choices.length === 0) return null;
    const { stream, revision, secret, state } = known!;
    const conditions = state.status === 'running' ? { lease: { token: state.lease.token, secret } } : {};
    return item(stream, revision, choices[action % choices.length]!, conditions);
  }

  /** The changes that are possible for a task, each as the events of one append. */
  private choices({ state }: Known): readonly (readonly DomainEvent[])[] {
    const { queue } = this;
    const ends = (type: string, from: string): DomainEvent[] => [{ type, version: 1, data: { queue, from, by: 'x' } }];
    switch (state.status) {
      case 'running': {
        const { token } = state.lease;
        const { key } = state.task.submission;
        const returned = { queue, attempt: 1, token, worker: 'w1', ranMs: 1 };
        const success = [succeeded(queue, token, key === undefined ? {} : { key })];
        return [success, success, failed(queue, token, key), [{ type: 'TaskReturned', version: 1, data: returned }]];
      }
      case 'pending':
        return [
          ends('TaskCancelled', 'pending'),
          ends('TaskAborted', 'pending'),
          [{ type: 'TaskHeld', version: 1, data: { queue, from: 'pending', heldBy: { by: 'x' } } }],
        ];
      case 'held':
        return [[{ type: 'TaskReleased', version: 1, data: { queue, by: 'x' } }], ends('TaskAborted', 'held')];
      case 'failed':
      case 'cancelled':
        return [ends('TaskRetried', state.status), ends('TaskAborted', state.status)];
      default:
        return [];
    }
  }

  /** Claims as a pick would make them: from an active queue, with one task per key. */
  private claimsOfReady(): AppendItem[] {
    if (this.known.state.status !== 'active') return [];
    const known = [...this.tasks.values()];
    const busy = new Set(known.flatMap(({ state }) => (state.status === 'running' ? [keyOf(state)] : [])));
    const ready = known.filter(({ state }) => {
      const key = keyOf(state);
      return state.status === 'pending' && (key === undefined || (!busy.has(key) && busy.add(key)));
    });
    return ready.map(({ stream, revision }) => {
      const claimed = claim(enqueue(this.queue), { expected: revision }).item;
      return { ...claimed, stream, conditions: this.asSeen };
    });
  }

  private async append(items: readonly AppendItem[]): Promise<void> {
    const results = await this.store.append(items);
    items.forEach((one, at) => {
      const result = results[at]!;
      if (result.kind !== 'appended') return;
      if (one.stream === queueStream(this.queue)) this.seeQueue(one, result.revision);
      else this.seeTask(one, result.revision);
    });
  }

  private seeQueue({ events }: AppendItem, revision: number): void {
    const evolve = (so: QueueState, { event }: EventToAppend): QueueState =>
      queueDecider.evolve(so, event as QueueEvent);
    this.known = { revision, state: events.reduce(evolve, this.known.state) };
  }

  private seeTask({ stream, events, leaseSecret }: AppendItem, revision: number): void {
    const before = this.tasks.get(stream);
    const evolve = (so: TaskState, { event }: EventToAppend): TaskState => taskDecider.evolve(so, event as TaskEvent);
    const state = events.reduce(evolve, before?.state ?? taskDecider.initialState);
    const secret = leaseSecret ?? before?.secret ?? '';
    this.tasks.set(stream, { stream, revision, state, secret });
  }
}

const keyOf = (state: TaskState): string | undefined => ('task' in state ? state.task.submission.key : undefined);
