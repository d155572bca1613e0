import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { type LeaderTerm, TermOver } from '../../../src/application/kernel/leader-term.js';
import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { Reservations } from '../../../src/infrastructure/eventstoredb/reservations/reservations.js';
import {
  CheckpointMoved,
  moveCheckpoint,
  openCheckpoint,
} from '../../../src/infrastructure/projection-engine/checkpoint.js';
import { CONTEXT, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

describe.each<[string, () => Promise<DispatchFixture>]>([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
])('with the events in %s, what an overtaken leader does', (_, open) => {
  let dispatch: DispatchFixture;
  let processes: readonly Leaders[];
  let past: LeaderTerm;
  let current: LeaderTerm;

  beforeAll(async () => {
    dispatch = await open();
    processes = [new Leaders(dispatch.pool), new Leaders(dispatch.pool)];
    past = (await processes[0]!.tryToLead('sweeper'))!.term;
    await dispatch.pool.query(`update leaders set deadline = clock_timestamp()`);
    current = (await processes[1]!.tryToLead('sweeper'))!.term;
  });
  afterAll(async () => {
    for (const one of processes) await one.close();
    await dispatch.close();
  });

  describe('with a command', () => {
    let queue: string;
    let stream: string;
    beforeEach(async () => {
      queue = `q-${uuidv7()}`;
      await dispatch.define(queue);
      stream = taskStream((await dispatch.enqueue(queue, [{}]))[0]!);
    });

    const abort = (term: LeaderTerm) =>
      dispatch.runner.run(
        taskDecider,
        {
          stream,
          command: { type: 'AbortTask', reason: null, now: dispatch.clock.iso(), by: 'sweeper' } as never,
          load: 'whole',
        },
        { ...CONTEXT, term },
      );
    const recorded = async (): Promise<readonly string[]> =>
      (await dispatch.store.readStreams([stream]))[0]!.map(({ event }) => event.type);

    it('is refused, and records nothing', async () => {
      await expect(abort(past)).rejects.toThrow(TermOver);
      expect(await recorded()).toEqual(['TaskEnqueued']);
      expect(await dispatch.claim(queue)).toHaveLength(1);
    });

    it('is recorded if nobody has overtaken it', async () => {
      expect(await abort(current)).toMatchObject({ kind: 'accepted' });
      expect(await recorded()).toEqual(['TaskEnqueued', 'TaskAborted']);
    });
  });

  it('as a follower moves no checkpoint', async () => {
    const { pool } = dispatch;
    const from = await openCheckpoint(pool, `model-${uuidv7()}`, 1);
    await expect(moveCheckpoint(pool, { ...from, term: past }, 10n, 1)).rejects.toThrow(CheckpointMoved);
    expect(await moveCheckpoint(pool, { ...from, term: current }, 10n, 1)).toMatchObject({ position: 10n });
  });

  it('as a cleaner releases no reservation', async () => {
    const reservations = new Reservations(dispatch.pool);
    await expect(reservations.releaseOverdue([uuidv7()], past)).rejects.toThrow(TermOver);
    await reservations.releaseOverdue([uuidv7()], current);
  });
});
