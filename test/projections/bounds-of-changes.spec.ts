import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FoldedMoves } from '../../src/infrastructure/past/folded-moves.js';
import { SumChanges, SumChangesHandler } from '../../src/projections/changes/changes.queries.js';
import { type Moment, TooMuchToFold } from '../../src/projections/kernel/past.port.js';
import type { StatesThen } from '../../src/projections/kernel/states-then.port.js';
import { defineQueue, enqueue } from '../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

const MOST = 3;

let db: PostgresFixture;
let moments: readonly Moment[];
beforeAll(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('mail')]);
  const found: Moment[] = [await now()];
  for (let n = 0; n < MOST + 1; n++) {
    await db.store.append([enqueue('mail')]);
    found.push(await now());
  }
  moments = found;
});
afterAll(() => db.close());

const now = async (): Promise<Moment> => ({
  position: await db.store.head(),
  at: '2026-11-23T03:12:00.000Z',
  alternative: null,
  settled: true,
});

/** The last events, so many. The states of a queue come from elsewhere: as many tasks as the position says. */
function summed(events: number, queue?: string) {
  const states = { countsOf: (_: string, { position }: Moment) => Promise.resolve({ pending: Number(position) }) };
  const handler = new SumChangesHandler(new FoldedMoves(db.store, MOST), states as unknown as StatesThen);
  const [since, until] = [moments.at(-1 - events)!, moments.at(-1)!];
  return handler.execute(new SumChanges({ since, until }, queue)).catch((error: unknown) => error);
}

describe('a summary of more events than one answer folds', () => {
  it('is refused for all queues, and says what to ask for instead', async () => {
    expect(await summed(MOST)).toMatchObject({ moves: [{ queue: 'mail', from: null, to: 'pending', tasks: MOST }] });
    const refused = await summed(MOST + 1);
    expect(refused).toBeInstanceOf(TooMuchToFold);
    expect((refused as Error).message).toContain('ask for a shorter range, or for one queue');
  });

  it('has only the states of one queue, as they were at both moments', async () => {
    const [from, to] = [Number(moments[0]!.position), Number(moments.at(-1)!.position)];
    expect(await summed(MOST + 1, 'mail')).toEqual({
      moves: null,
      states: expect.arrayContaining([{ state: 'pending', before: from, after: to }]),
    });
    expect(await summed(MOST, 'mail')).toMatchObject({ moves: [{ tasks: MOST }] });
  });
});
