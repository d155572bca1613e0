import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { ClaimedTask } from '../../../src/application/claims/claim-source.port.js';
import { besides, type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';

/** A task in a plain table of ready rows. */
interface PlainTask {
  readonly id: string;
  /** Its place in line. */
  place: number;
  priority: number;
  state: 'ready' | 'held' | 'running' | 'gone';
  claimed: ClaimedTask | null;
}

/** Which tasks of a batch have a key each. They have a row each in the lane, and are picked together. */
type Keyed = 'none' | 'all' | 'some';

/** Numbers select among the tasks to which the step can apply. */
type Step =
  | { readonly kind: 'enqueue'; readonly priorities: readonly number[]; readonly keyed: Keyed }
  | { readonly kind: 'take'; readonly max: number; readonly processes: number }
  | {
      readonly kind: 'hold' | 'release' | 'cancel' | 'return' | 'give-back' | 'amend';
      readonly which: readonly number[];
    }
  | { readonly kind: 'reprioritise'; readonly which: readonly number[]; readonly priority: number };

const which = fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 4 });
const priority = fc.constantFrom(0, 0, 0, 5);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('enqueue' as const),
      priorities: fc.oneof(
        fc.constant(Array.from({ length: 150 }, () => 0)),
        fc.array(priority, { minLength: 1, maxLength: 20 }),
      ),
      keyed: fc.constantFrom<Keyed>('none', 'all', 'some'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      max: fc.constantFrom(1, 3, 70, 200),
      processes: fc.constantFrom(1, 1, 3),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release', 'cancel', 'return', 'give-back', 'amend'), which }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reprioritise' as const), which, priority }) },
);

const inClaimOrder = (one: PlainTask, other: PlainTask): number =>
  other.priority - one.priority || one.place - other.place;

class Lane {
  private readonly tasks: PlainTask[] = [];
  private places = 0;

  constructor(
    private readonly processes: readonly DispatchFixture[],
    private readonly queue: string,
  ) {}

  async take(one: Step): Promise<void> {
    if (one.kind === 'enqueue') return this.enqueue(one.priorities, one.keyed);
    if (one.kind === 'take') return this.claim(one.max, one.processes);
    const from = {
      hold: 'ready',
      cancel: 'ready',
      amend: 'ready',
      reprioritise: 'ready',
      release: 'held',
      return: 'running',
      'give-back': 'running',
    } as const;
    for (const number of one.which) {
      const among = this.tasks.filter(({ state }) => state === from[one.kind]);
      const task = among[number % (among.length || 1)];
      if (task) await this.change(task, one);
    }
  }

  private get here(): DispatchFixture {
    return this.processes[0]!;
  }

  private async enqueue(priorities: readonly number[], keyed: Keyed): Promise<void> {
    const hasKey = (at: number) => keyed === 'all' || (keyed === 'some' && at % 5 > 1);
    const ids = await this.here.enqueue(
      this.queue,
      priorities.map((each, at) => ({ priority: each, ...(hasKey(at) ? { key: `k${this.places + at}` } : {}) })),
    );
    ids.forEach((id, at) =>
      this.tasks.push({ id, place: this.places++, priority: priorities[at]!, state: 'ready', claimed: null }),
    );
  }

  /**
   * Claims from several processes at once. Together they get the first tasks of the lane, and no task goes to two of
   * them.
   */
  private async claim(max: number, processes: number): Promise<void> {
    const expected = this.ready().slice(0, max * processes);
    const answers = await Promise.all(
      this.processes.slice(0, processes).map((process) => process.claim(this.queue, { max, claimId: uuidv7() })),
    );
    const got = answers.flat();
    expect(got.map(({ taskId }) => taskId).sort()).toEqual(expected.map(({ id }) => id).sort());
    for (const answer of answers) {
      const order = answer.map(({ taskId }) => expected.findIndex(({ id }) => id === taskId));
      expect(order).toEqual([...order].sort((one, other) => one - other));
    }
    for (const claimed of got)
      Object.assign(
        this.tasks.find(({ id }) => id === claimed.taskId)!,
        { state: 'running', claimed },
      );
  }

  private async change(task: PlainTask, one: Exclude<Step, { readonly kind: 'enqueue' | 'take' }>): Promise<void> {
    const command = (given: object) => this.here.command(task.id, given as never);
    if (one.kind === 'hold') {
      expect(await command({ type: 'HoldTask', reason: null })).toBe('accepted');
      task.state = 'held';
    } else if (one.kind === 'release') {
      expect(await command({ type: 'ReleaseTask' })).toBe('accepted');
      task.state = 'ready';
    } else if (one.kind === 'cancel') {
      expect(await command({ type: 'CancelTask', reason: null })).toBe('accepted');
      task.state = 'gone';
    } else if (one.kind === 'amend') {
      expect(await command({ type: 'AmendPayload', payload: { amended: uuidv7() } })).toBe('accepted');
    } else if (one.kind === 'reprioritise') {
      if (one.priority === task.priority) return;
      expect(await command({ type: 'ReprioritiseTask', priority: one.priority })).toBe('accepted');
      task.priority = one.priority;
    } else {
      const unstarted = one.kind === 'give-back';
      const [outcome] = await this.here.settle([task.claimed!], { type: 'return', unstarted });
      expect(outcome!.kind).toBe('done');
      task.state = 'ready';
      if (!unstarted) task.place = this.places++;
    }
  }

  private ready(): PlainTask[] {
    return this.tasks.filter(({ state }) => state === 'ready').sort(inClaimOrder);
  }

  /** Expects that the extents contain each ready task once, in claim order, and nothing else. */
  async expectLane(): Promise<void> {
    const { rows } = await this.here.pool.query<{ id: string | null }>(
      `select t.task_id as id from ready r cross join lateral generate_series(r.from_seq, r.to_seq) as n(seq)
       left join tasks t on t.queue = r.queue and t.priority = r.priority and coalesce(t.place, t.seq) = n.seq and t.task_id = coalesce(r.task_id, t.task_id)
       where r.queue = $1 order by r.priority desc, n.seq`,
      [this.queue],
    );
    expect(rows.map(({ id }) => id)).toEqual(this.ready().map(({ id }) => id));
  }
}

describe('extents of the ready lane', () => {
  let dispatch: DispatchFixture;
  let processes: DispatchFixture[];
  beforeAll(async () => {
    dispatch = await openDispatch();
    processes = [dispatch, besides(dispatch), besides(dispatch)];
  });
  afterAll(() => dispatch.close());

  it('give out and take back the same tasks as a table with one row per task', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        const queue = `q-${uuidv7()}`;
        await dispatch.define(queue);
        const lane = new Lane(processes, queue);
        const first = { kind: 'enqueue', priorities: Array.from({ length: 200 }, () => 0), keyed: 'some' } as const;
        for (const one of [first, ...steps]) {
          await lane.take(one);
          await lane.expectLane();
        }
      }),
      { numRuns: Number(process.env.EXTENT_RUNS ?? 25) },
    );
  });

  it('are one row for up to 64 tasks of a batch', async () => {
    const queue = `q-${uuidv7()}`;
    await dispatch.define(queue);
    await dispatch.enqueue(
      queue,
      Array.from({ length: 640 }, () => ({})),
    );
    const { rows } = await dispatch.pool.query('select from ready where queue = $1', [queue]);
    expect(rows.length).toBeLessThanOrEqual(12);
  });
});
