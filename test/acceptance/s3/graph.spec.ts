import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { uuidv7 } from 'uuidv7';
import { sizeOf } from '../../support/sizes.js';
import { until } from '../../support/until.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { refusalOf } from '../refusal.js';
import { type ConsoleQueue, makeConsole } from './console.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const make = (policy = {}): Promise<ConsoleQueue> => makeConsole(service.waybill, policy);

/** The tasks of a committed CAN ingest, by their numbers in the proposal. */
const CAN_INGEST = { 1: [], 2: ['1'], 3: ['1'], 4: ['1'], 5: ['2'], 6: ['3'], 7: ['5'], 8: ['6'] };
const EIGHT = Object.keys(CAN_INGEST);

describe('prerequisites', () => {
  it('S3-04 given a task that must wait, no worker ever gets it before its prerequisite is done', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'] });
    expect(await queue.take()).toEqual(['first']);
    for (let asked = 0; asked < 10; asked++) expect(await queue.take()).toEqual([]);
    await queue.succeed('first');
    expect(await queue.takeNext()).toBe('second');
    const types = (await queue.task('second').history()).map(({ type }) => type);
    expect(types).toEqual(['TaskEnqueued', 'TaskClaimed']);
  });

  it('S3-10 given a blocked task, what blocks it is named with its state', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: [], third: ['first', 'second'] });
    expect(await queue.blockers('third')).toEqual({ count: 2, names: ['first', 'second'] });
    await queue.take();
    await queue.succeed('first');
    await queue.fail('second');
    const { reasons } = await queue.task('third').why();
    expect(reasons).toEqual([
      { because: 'prerequisites', count: 1, blockers: [{ id: queue.idOf('second'), state: 'failed' }] },
    ]);
  });

  it('S3-10 given a running task, the graph shows its progress, and what waits for it as blocked', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'], third: ['second'] });
    await queue.take();
    const { taskId, token } = queue.claimedTask('first');
    await queue.waybill.extend([{ taskId, token, progress: [{ title: 'files', start: 0, end: 120, position: 30 }] }]);
    const { nodes } = await queue.task('third').graph();
    expect(nodes.map(({ title, state, blocked, percent }) => [title, state, blocked, percent])).toEqual([
      ['third', 'pending', true, undefined],
      ['second', 'pending', true, undefined],
      ['first', 'running', false, 25],
    ]);
    const first = async () => {
      const [, , node] = (await queue.task('third').graph()).nodes;
      return [node!.state, node!.percent];
    };
    await queue.fail('first');
    expect(await first()).toEqual(['failed', undefined]);
    // The next run has not reported yet.
    await queue.task('first').retry();
    await queue.take();
    expect(await first()).toEqual(['running', undefined]);
    await queue.succeed('first');
    expect(await first()).toEqual(['succeeded', undefined]);
  });

  it('S3-10 given tasks in any state, the graph says which of them are blocked, and by what', async () => {
    const queue = await make();
    await queue.addAll({ done: [], open: [] });
    await queue.take();
    await queue.succeed('done');
    await queue.add('pending', ['done', 'open']);
    await queue.add('ready', ['done']);
    await queue.add('prepared', ['open'], { prepared: true });
    await queue.add('paused', ['open'], { hold: { reason: 'later' } });
    await queue.add('cancelled', ['open']);
    await queue.task('cancelled').cancel();
    const { nodes, edges } = await queue.task('pending').graph();
    expect(Object.fromEntries(nodes.map(({ title, state, blocked }) => [title, [state, blocked]]))).toEqual({
      done: ['succeeded', false],
      open: ['running', false],
      pending: ['pending', true],
      ready: ['pending', false],
      prepared: ['prepared', true],
      paused: ['held', true],
      cancelled: ['cancelled', false],
    });
    const closed = edges.filter((edge) => edge.closed).map(({ from, to }) => [queue.nameOf(from), queue.nameOf(to)]);
    expect(closed.sort()).toEqual([
      ['done', 'pending'],
      ['done', 'ready'],
    ]);
  });

  it('S3-10 given several prerequisites, the cause is the one that awaits a person, before one that goes on by itself', async () => {
    const queue = await make();
    await queue.addAll({ running: [], failed: [], cancelled: [] });
    await queue.task('cancelled').cancel();
    await queue.take();
    await queue.fail('failed');
    await queue.add('last', ['running', 'cancelled', 'failed']);
    const cause = async () => (await queue.task('last').graph()).cause.map((id) => queue.nameOf(id));
    expect(await cause()).toEqual(['last', 'failed']);
    await queue.task('last').arrange({ waive: [queue.idOf('failed')] });
    expect(await cause()).toEqual(['last', 'cancelled']);
    await queue.task('last').arrange({ waive: [queue.idOf('cancelled')] });
    expect(await cause()).toEqual(['last', 'running']);
  });

  it('S3-10 given a failed task that awaits its repair, the graph shows it as the cause', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'], third: ['second'] });
    await queue.take();
    await queue.fail('first');
    const { nodes, cause } = await queue.task('third').graph();
    expect(cause.map((id) => queue.nameOf(id))).toEqual(['third', 'second', 'first']);
    expect(nodes.find(({ title }) => title === 'first')).toMatchObject({ state: 'failed', blocked: false });
  });

  it('S3-10 given a task among others, the graph may have only its neighbours', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'], third: ['second'], fourth: ['third'] });
    const names = async (depth?: number) =>
      (await queue.task('third').graph({ depth })).nodes.map(({ title }) => title).sort();
    expect(await names(1)).toEqual(['fourth', 'second', 'third']);
    expect(await names()).toEqual(['first', 'fourth', 'second', 'third']);
  });

  it('S3-14 given ready tasks, the higher priority comes first, then the older one', async () => {
    const queue = await make();
    await queue.add('old');
    await queue.add('young');
    await queue.add('urgent', [], { priority: 5 });
    expect(await queue.take()).toEqual(['urgent', 'old', 'young']);
  });

  it('S3-14 given tasks that become ready together, they keep that order', async () => {
    const queue = await make();
    await queue.add('first');
    await queue.add('old', ['first']);
    await queue.add('urgent', ['first'], { priority: 5 });
    await queue.add('young', ['first']);
    expect(await queue.workOff(4)).toEqual(['first', 'urgent', 'old', 'young']);
  });

  const MANY = sizeOf(10_000, 1_000);
  it(`S3-15 given ${MANY} prerequisites, a task runs after the last of them`, async () => {
    const queue = await make();
    const names = Array.from({ length: MANY }, (_, at) => `n${at}`);
    await queue.addAll(Object.fromEntries(names.map((name) => [name, []])));
    await queue.add('last', names);
    expect((await queue.blockers('last')).count).toBe(MANY);
    for (let left = names.length; left > 0; left -= 500) {
      const taken = await queue.take();
      expect(taken).toHaveLength(500);
      expect(taken).not.toContain('last');
      await queue.succeedAll(taken);
    }
    expect(await queue.takeNext()).toBe('last');
  }, 600_000);

  it('S3-16 given a claimed task, what the handler gets says nothing about prerequisites', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'] });
    await queue.take();
    await queue.succeed('first');
    await queue.takeNext();
    expect(Object.keys(queue.claimedTask('second'))).toEqual(Object.keys(queue.claimedTask('first')));
    expect(JSON.stringify(queue.claimedTask('second'))).not.toContain(queue.idOf('first'));
  });

  it('S3-18 given the CAN ingest, its eight tasks become ready as the proposal says', async () => {
    const queue = await make();
    await queue.addAll(CAN_INGEST);
    expect(await queue.take()).toEqual(['1']);
    await queue.succeed('1');
    expect((await queue.take()).sort()).toEqual(['2', '3', '4']);
    await queue.succeed('4');
    expect(await queue.take()).toEqual([]);
    await queue.succeed('2');
    expect(await queue.take()).toEqual(['5']);
    await queue.succeed('5');
    expect(await queue.take()).toEqual(['7']);
    await queue.succeed('3');
    expect(await queue.take()).toEqual(['6']);
    await queue.succeed('6');
    expect(await queue.take()).toEqual(['8']);
    await queue.succeed('7', '8');
    expect(new Set(await queue.states(...EIGHT))).toEqual(new Set(['succeeded']));
  });

  it('S3-19 given all eight prepared, each runs once it is submitted and its prerequisites are done', async () => {
    const queue = await make();
    await queue.addAll(CAN_INGEST, { prepared: true });
    expect(new Set(await queue.states(...EIGHT))).toEqual(new Set(['prepared']));
    expect(await queue.take()).toEqual([]);
    for (const name of EIGHT.slice(1)) await queue.task(name).submit();
    expect(await queue.take()).toEqual([]);
    await queue.task('1').submit();
    expect(new Set(await queue.states(...EIGHT))).toEqual(new Set(['pending']));
    const order = await queue.workOff(8);
    for (const [name, needs] of Object.entries(CAN_INGEST))
      for (const need of needs) expect(order.indexOf(need)).toBeLessThan(order.indexOf(name));
  });

  it('S3-19 given prerequisites that are complete, a task still waits for capacity', async () => {
    const queue = await make({ maxRunning: 2 });
    await queue.addAll(CAN_INGEST);
    await queue.workOff(1);
    const two = await queue.take();
    expect(two).toHaveLength(2);
    const [waiting] = ['2', '3', '4'].filter((name) => !two.includes(name));
    expect(await queue.take()).toEqual([]);
    expect((await queue.task(waiting!).why()).reasons).toMatchObject([{ because: 'no-slot' }]);
    await queue.succeed(two[0]!);
    expect(await queue.take()).toHaveLength(1);
  });

  it('S3-23 given a success, its dependants are blocked by it no longer', async () => {
    const queue = await make();
    await queue.addAll({ first: [], other: [], second: ['first', 'other'] });
    await queue.take();
    await queue.succeed('first');
    expect(await queue.blockers('second')).toEqual({ count: 1, names: ['other'] });
    await queue.succeed('other');
    expect(await queue.blockers('second')).toEqual({ count: 0, names: [] });
    expect(await queue.takeNext()).toBe('second');
  });

  it('S3-24 given a failure, its dependants stay blocked until it is repaired, and then go on', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'] });
    await queue.take();
    await queue.fail('first');
    expect(await queue.states('first', 'second')).toEqual(['failed', 'pending']);
    expect(await queue.take()).toEqual([]);
    await queue.task('first').retry({ reason: 'disk replaced' });
    expect(await queue.blockers('second')).toEqual({ count: 1, names: ['first'] });
    expect(await queue.workOff(2)).toEqual(['first', 'second']);
  });

  it('S3-25 given a cancellation, its dependants stay blocked until it is run again', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'] });
    await queue.task('first').cancel({ reason: 'deploy' });
    expect(await queue.take()).toEqual([]);
    expect((await queue.blockers('second')).names).toEqual(['first']);
    await queue.task('first').retry();
    expect(await queue.workOff(2)).toEqual(['first', 'second']);
  });

  it('S3-26 given an abort, every task that waits for it is aborted, whatever its state', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.add('pending', ['root']);
    await queue.add('prepared', ['root'], { prepared: true });
    await queue.add('paused', ['root'], { hold: { reason: 'later' } });
    await queue.add('cancelled', ['root']);
    await queue.task('cancelled').cancel();
    await queue.add('failed');
    await queue.take();
    await queue.fail('failed');
    await queue.task('failed').arrange({ add: [{ task: queue.idOf('root') }] });
    await queue.add('deep', ['pending']);
    await queue.add('deeper', ['deep']);
    await queue.add('apart');
    await queue.task('root').abort({ reason: 'wrong tape' });
    const chain = ['pending', 'prepared', 'paused', 'cancelled', 'failed', 'deep', 'deeper'];
    await queue.become('aborted', ...chain);
    expect(await queue.states('apart')).toEqual(['pending']);
    const last = (await queue.task('deeper').history()).at(-1)!;
    expect(last.data).toMatchObject({ prerequisite: queue.idOf('deep') });
    const first = (await queue.task('root').history()).at(-1)!;
    expect(last.envelope).toMatchObject({ correlationId: first.envelope.correlationId, reason: 'wrong tape' });
  });

  it('S3-26 given a task that awaits a decision, the abort of what it waits for aborts it, too', async () => {
    const queue = await make({ onFailure: 'decide' });
    await queue.addAll({ undecided: [] });
    await queue.take();
    await queue.fail('undecided');
    await queue.add('root');
    await queue.add('last', ['undecided']);
    await queue.task('undecided').arrange({ add: [{ task: queue.idOf('root') }] });
    await queue.task('root').abort();
    await queue.become('aborted', 'undecided', 'last');
    expect((await queue.task('last').get()).state).toBe('aborted');
  });

  it('S3-26 given a path over an ignored prerequisite, an abort ends there', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.add('second', ['root']);
    await queue.add('third', [], { after: [{ task: queue.idOf('second'), ignore: true }] });
    await queue.add('fourth', ['third']);
    await queue.task('root').abort();
    await queue.become('aborted', 'second');
    expect(await queue.workOff(2)).toEqual(['third', 'fourth']);
  });

  it('S3-26 given an ignored prerequisite, its abort counts as done', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.add('second', [], { after: [{ task: queue.idOf('root'), ignore: true }] });
    await queue.task('root').abort();
    expect(await queue.take()).toEqual(['second']);
  });

  it('S3-26 given what was aborted before, it counts as done for what is arranged to ignore that', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.task('root').abort();
    const batch = await queue.waybill.createBatch({ name: 'given up' });
    await batch.abort();
    const after = [
      { task: queue.idOf('root'), ignore: true },
      { batch: batch.id, ignore: true },
    ];
    await queue.add('created', [], { after });
    await queue.add('arranged');
    await queue.task('arranged').arrange({ add: after });
    for (const name of ['created', 'arranged']) expect(await queue.blockers(name)).toEqual({ count: 0, names: [] });
    expect(await queue.take()).toEqual(['created', 'arranged']);
  });

  it('S3-26 given a running task, its abort refuses its late result, and it ends what waits for it', async () => {
    const queue = await make();
    await queue.addAll({ root: [], second: ['root'] });
    await queue.take();
    await queue.task('root').abort();
    await queue.become('aborted', 'second');
    const { taskId, token } = queue.claimedTask('root');
    const [late] = await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed', result: 1 } }]);
    expect(late).toMatchObject({ problem: { code: 'LEASE_LOST' } });
  });

  it('S3-26 given a running task, its abort stops the handler within one heartbeat', async () => {
    const queue = await make({ leaseMs: 3_000 });
    await queue.add('root');
    const worker = service.waybill.worker({ name: 'w1', logger: null });
    const told = new Promise((resolve) => {
      worker.handle(queue.handle, async (_, run) => {
        await once(run.signal, 'abort');
        resolve(run.signal.reason);
      });
    });
    await worker.start();
    await queue.become('running', 'root');
    await queue.task('root').abort({ reason: 'wrong tape' });
    expect(await told).toBeInstanceOf(Error);
    await worker.stop();
    expect(await queue.states('root')).toEqual(['aborted']);
  });

  it('S3-26 given a completed task, its abort is refused', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.workOff(1);
    expect(await refusalOf(queue.task('root').abort())).toMatchObject({ code: 'ILLEGAL_TRANSITION', status: 409 });
  });

  it('S3-28 given a diamond, the abort of one parent aborts the child once and leaves the other parent', async () => {
    const queue = await make();
    await queue.addAll({ top: [], left: ['top'], right: ['top'], child: ['left', 'right'] });
    await queue.task('left').abort();
    await queue.become('aborted', 'child');
    await queue.task('right').abort();
    await queue.become('aborted', 'right');
    expect(await queue.states('top')).toEqual(['pending']);
    const aborts = (await queue.task('child').history()).filter(({ type }) => type === 'TaskAborted');
    expect(aborts).toHaveLength(1);
  });

  it('S3-30 given a prerequisite that is complete already, it blocks nothing, at creation and when it is arranged', async () => {
    const queue = await make();
    await queue.addAll({ done: [], open: [] });
    expect(await queue.take()).toEqual(['done', 'open']);
    await queue.succeed('done');
    await queue.add('created', ['done']);
    await queue.add('arranged');
    await queue.add('both');
    const ids = { done: { task: queue.idOf('done') }, open: { task: queue.idOf('open') } };
    await queue.task('arranged').arrange({ add: [ids.done] });
    await queue.task('both').arrange({ add: [ids.done, ids.open] });
    expect(await queue.blockers('created')).toEqual({ count: 0, names: [] });
    expect(await queue.blockers('arranged')).toEqual({ count: 0, names: [] });
    expect(await queue.blockers('both')).toEqual({ count: 1, names: ['open'] });
    expect(await queue.take()).toEqual(['created', 'arranged']);
    await queue.succeed('open');
    expect(await queue.takeNext()).toBe('both');
  });

  it('S3-30 given prerequisites that are complete in other ways, they block nothing', async () => {
    const queue = await make({ clearFailuresOnSuccess: true });
    await queue.add('superseded', [], { key: 'k' });
    await queue.take();
    await queue.fail('superseded');
    await queue.add('waited', ['superseded']);
    await queue.add('again', [], { key: 'k' });
    await queue.add('overruled');
    await queue.take();
    await queue.succeed('again');
    await queue.task('overruled').overrule('succeed', 'done by hand');
    await queue.become('superseded', 'superseded');
    const batch = await queue.waybill.createBatch({ name: 'empty' });
    await batch.open(0);
    await until('the batch to be over', async () => ((await batch.get()).state === 'completed' ? true : null));
    const after = [{ task: queue.idOf('superseded') }, { task: queue.idOf('overruled') }, { batch: batch.id }];
    await queue.add('created', [], { after });
    await queue.add('arranged');
    await queue.task('arranged').arrange({ add: after });
    for (const name of ['waited', 'created', 'arranged'])
      expect(await queue.blockers(name)).toEqual({ count: 0, names: [] });
    expect(await queue.take()).toEqual(['waited', 'created', 'arranged']);
  });

  it('S3-30 has the list of what it requires, whatever its state', async () => {
    const queue = await make();
    await queue.addAll({ done: [], open: [], last: ['done', 'open'] });
    await queue.workOff(1);
    const { edges } = await queue.task('last').graph({ depth: 1 });
    const required = edges.filter(({ to }) => to === queue.idOf('last')).map(({ from }) => queue.nameOf(from));
    expect(required.sort()).toEqual(['done', 'open']);
  });

  it('S3-30 the number of blockers is right after any commands, however they interleave', async () => {
    const names = ['a', 'b', 'c', 'd'];
    const step = fc.tuple(fc.constantFrom('run', 'fail', 'cancel', 'retry', 'link', 'waive'), fc.nat(3), fc.nat(3));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), async (rounds) => {
        const queue = await make();
        await queue.addAll({ a: [], b: [], c: ['a'], d: ['a', 'b'] });
        const needs = new Map(
          names.map((name) => [name, new Set(name === 'c' ? ['a'] : name === 'd' ? ['a', 'b'] : [])]),
        );
        for (const round of rounds)
          await Promise.all(
            round.map(async ([verb, at, other]) => {
              const [one, two] = [names[at]!, names[other]!];
              const done = await commandOf(queue, verb, one, two);
              if (done && verb === 'link') needs.get(one)!.add(two);
              if (done && verb === 'waive') needs.get(one)!.delete(two);
            }),
          );
        for (const name of names) {
          const states = await Promise.all([...needs.get(name)!].map((need) => queue.get(need)));
          const open = states.filter((need) => need.state !== 'succeeded').length;
          const { edges } = await queue.task(name).graph({ depth: 1 });
          const required = edges.filter(({ to }) => to === queue.idOf(name));
          expect(required.filter(({ closed }) => !closed)).toHaveLength(open);
          expect(new Set(required.map(({ from }) => queue.nameOf(from)))).toEqual(needs.get(name));
          if ((await queue.get(name)).state === 'pending')
            expect(await queue.blockers(name)).toMatchObject({ count: open });
        }
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 300_000);

  it('S3-43 given a cycle, it is refused and named', async () => {
    const queue = await make();
    await queue.addAll({ a: [], b: ['a'], c: ['b'] });
    const refusal = await refusalOf(queue.task('a').arrange({ add: [{ task: queue.idOf('c') }] }));
    expect(refusal).toMatchObject({ code: 'PREREQUISITE_CYCLE', status: 409 });
    expect(refusal.problem['cycle']).toEqual(['a', 'c', 'b'].map((name) => queue.idOf(name)));
    expect((await queue.blockers('a')).count).toBe(0);
  });

  it('S3-43 given a task that waits for itself, it is refused', async () => {
    const queue = await make();
    expect(await refusalOf(queue.add('a', ['a']))).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
    await queue.add('a');
    const itself = queue.task('a').arrange({ add: [{ task: queue.idOf('a') }] });
    expect(await refusalOf(itself)).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
  });

  it('S3-43 given the tasks of one request that wait for each other, all of them are refused and nothing is stored', async () => {
    const queue = await make();
    const outcomes = await queue.handle.enqueueMany([
      { id: queue.idOf('a'), after: [{ task: queue.idOf('b') }] },
      { id: queue.idOf('b'), after: [{ task: queue.idOf('a') }] },
    ]);
    expect(outcomes).toEqual([
      { problem: expect.objectContaining({ code: 'PREREQUISITE_CYCLE' }) as object },
      { problem: expect.objectContaining({ code: 'PREREQUISITE_CYCLE' }) as object },
    ]);
    expect(await refusalOf(queue.get('a'))).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('S3-43 given both halves of a cycle at once, one of them is refused', async () => {
    const queue = await make();
    for (let round = 0; round < 10; round++) {
      const [a, b] = [`a${round}`, `b${round}`];
      await queue.addAll({ [a]: [], [b]: [] });
      const halves = await Promise.allSettled([
        queue.task(a).arrange({ add: [{ task: queue.idOf(b) }] }),
        queue.task(b).arrange({ add: [{ task: queue.idOf(a) }] }),
      ]);
      const refused = halves.flatMap((half) => (half.status === 'rejected' ? [half.reason as { code: string }] : []));
      expect(refused).toHaveLength(1);
      expect(refused[0]).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
    }
  });

  it('S3-44 given an aborted task, it is not run again, nor what was aborted with it', async () => {
    const queue = await make();
    await queue.addAll({ root: [], second: ['root'] });
    await queue.task('root').abort();
    await queue.become('aborted', 'second');
    for (const name of ['root', 'second'])
      expect(await refusalOf(queue.task(name).retry())).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });

  it('S3-44 given an aborted task that was prepared, its submission is refused', async () => {
    const queue = await make();
    await queue.add('prepared', [], { prepared: true });
    await queue.task('prepared').abort();
    expect(await refusalOf(queue.task('prepared').submit())).toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      problem: { state: 'aborted' },
    });
    expect(await queue.states('prepared')).toEqual(['aborted']);
  });

  it('S3-44 given a prepared task that a cascade aborted, its submission is refused, and sending it again runs nothing', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.add('prepared', ['root'], { prepared: true });
    await queue.task('root').abort();
    await queue.become('aborted', 'prepared');
    for (const call of [
      queue.task('prepared').submit(),
      queue.task('prepared').release(),
      queue.task('prepared').hold(),
    ])
      expect(await refusalOf(call)).toMatchObject({ code: 'ILLEGAL_TRANSITION', problem: { state: 'aborted' } });
    const again = await queue.handle.enqueue(null, { id: queue.idOf('root'), reference: 'root' });
    expect(again).toMatchObject({ id: queue.idOf('root'), status: 'existing' });
    expect(await queue.take()).toEqual([]);
    expect(await queue.states('root', 'prepared')).toEqual(['aborted', 'aborted']);
  });

  it('S3-44 given an aborted batch, nothing can be arranged to require it or a task of it', async () => {
    const queue = await make();
    const batch = await queue.waybill.createBatch({ name: 'wrong tapes' });
    await queue.add('part', [], { batch: batch.id });
    await queue.add('other');
    await batch.abort();
    await queue.become('aborted', 'part');
    for (const dead of [{ batch: batch.id }, { task: queue.idOf('part') }]) {
      const refusal = { code: 'PREREQUISITE_DEAD', problem: { state: 'aborted' } };
      expect(await refusalOf(queue.task('other').arrange({ add: [dead] }))).toMatchObject(refusal);
      expect(await refusalOf(queue.add('new', [], { after: [dead] }))).toMatchObject(refusal);
    }
    expect(await queue.take()).toEqual(['other']);
  });

  it('S3-44 given an aborted prerequisite, a task that exists cannot be arranged to require it', async () => {
    const queue = await make();
    await queue.addAll({ root: [], second: [] });
    await queue.task('root').abort();
    const arranged = queue.task('second').arrange({ add: [{ task: queue.idOf('root') }] });
    expect(await refusalOf(arranged)).toMatchObject({
      code: 'PREREQUISITE_DEAD',
      problem: { prerequisite: queue.idOf('root'), state: 'aborted' },
    });
    expect(await queue.take()).toEqual(['second']);
  });

  it('S3-44 given an aborted prerequisite, a new task that requires it is refused', async () => {
    const queue = await make();
    await queue.add('root');
    await queue.task('root').abort();
    expect(await refusalOf(queue.add('second', ['root']))).toMatchObject({
      code: 'PREREQUISITE_DEAD',
      status: 409,
      problem: { prerequisite: queue.idOf('root'), state: 'aborted' },
    });
  });

  it('given the same prerequisite twice, it counts once, and the later one says whether its abort is ignored', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: [] });
    const task = queue.idOf('first');
    const [strict, lenient] = [{ task }, { task, ignore: true }];
    await queue.add('third', [], { after: [strict, lenient] });
    await queue.task('second').arrange({ add: [lenient, strict] });
    expect(await queue.blockers('third')).toEqual({ count: 1, names: ['first'] });
    expect((await queue.task('third').history())[0]!.data).toMatchObject({ after: [lenient] });
    await queue.task('second').arrange({ add: [strict, lenient] });
    const { recorded } = await queue.task('second').arrange({ add: [strict, lenient] });
    expect(recorded).toBe(false);
    await queue.task('first').abort();
    expect((await queue.take()).sort()).toEqual(['second', 'third']);
    const history = await queue.task('second').history();
    expect(history.filter(({ type }) => type === 'TaskPrerequisitesChanged').map(({ data }) => data)).toMatchObject([
      { added: [strict] },
      { added: [lenient] },
    ]);
  });

  it('given an unknown prerequisite, the task is refused', async () => {
    const queue = await make();
    expect(await refusalOf(queue.add('second', [`unknown-${uuidv7()}`]))).toMatchObject({
      code: 'PREREQUISITE_NOT_FOUND',
      status: 422,
    });
  });

  it('given a task that another one waits for, it cannot be deleted', async () => {
    const queue = await make();
    await queue.addAll({ first: [], second: ['first'] });
    expect(await refusalOf(queue.task('first').delete())).toMatchObject({
      code: 'TASK_AWAITED',
      problem: { awaitedBy: queue.idOf('second') },
    });
    await queue.task('second').arrange({ waive: [queue.idOf('first')] });
    await queue.task('first').delete();
    expect(await queue.take()).toEqual(['second']);
  });
});

/** Gives one command of the property above. Returns whether it was accepted. */
async function commandOf(queue: ConsoleQueue, verb: string, one: string, two: string): Promise<boolean> {
  const task = queue.task(one);
  const run = async (): Promise<unknown> => {
    switch (verb) {
      case 'run':
      case 'fail': {
        const names = await queue.take();
        return Promise.all(names.map((name) => (verb === 'run' ? queue.succeed(name) : queue.fail(name))));
      }
      case 'cancel':
        return task.cancel();
      case 'retry':
        return task.retry();
      case 'link':
        return task.arrange({ add: [{ task: queue.idOf(two) }] });
      default:
        return task.arrange({ waive: [queue.idOf(two)] });
    }
  };
  return run().then(
    () => true,
    () => false,
  );
}
