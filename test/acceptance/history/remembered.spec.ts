import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { ELSEWHERE, HERE } from '../../../src/infrastructure/past/snapshots/snapshot.js';
import { SnapshotWriter } from '../../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import { Memory, type Remembered } from '../../support/history/remembered.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';

const STEPS = Number(process.env.MODEL_RUNS ?? 120);
const SNAPSHOT_EVERY = 19;
/** Answers are remembered after so many steps. */
const LOOK_EVERY = 8;

let service: RunningService;
let memory: Memory;
beforeAll(async () => {
  service = await startService();
  memory = new Memory(service.url);
});
afterAll(() => service.stop());

const pathsOf = (batches: readonly string[]): readonly string[] => [
  '/v1/queues?internal=false',
  ...['one', 'two'].flatMap((queue) => [`/v1/queues/${queue}/tally`, `/v1/tasks?queue=${queue}&limit=500`]),
  '/v1/tasks?state=pending&internal=false&limit=500',
  '/v1/tasks?state=running&limit=500',
  '/v1/holds',
  '/v1/batches?limit=500',
  ...batches.slice(-3).flatMap((id) => [`/v1/batches/${id}`, `/v1/batches/${id}/tally`]),
];

describe('a random history', () => {
  it('H-05 H-08 gives every remembered answer again as of its position, with snapshots and without any', async () => {
    const seed = Number(process.env.MODEL_SEED ?? randomInt(1_000_000_000));
    const history = new RandomHistory(service.waybill, randomFrom(seed));
    await history.begin();
    const remembered: Remembered[] = [];
    const writer = new SnapshotWriter(service.pool, isElsewhere ? ELSEWHERE : HERE);
    for (let at = 1; at <= STEPS; at++) {
      await history.step();
      if (at % SNAPSHOT_EVERY === 0) await writer.take();
      if (at % LOOK_EVERY === 0) remembered.push(await memory.remember(pathsOf(history.batches)));
    }
    const expectAgain = () =>
      memory.expectAgain(remembered, ['lastHeartbeatAt', 'percent', 'holds', 'commands']).catch((error: unknown) => {
        throw new Error(`Repeat it with MODEL_SEED=${seed}`, { cause: error });
      });
    await expectAgain();
    const { rows } = await service.pool.query(
      'with d as (delete from snapshot_tasks) delete from snapshots returning position',
    );
    expect(rows.length).toBeGreaterThan(2);
    await expectAgain();
    expect(new Set(remembered.map(({ position }) => position)).size).toBeGreaterThan(STEPS / LOOK_EVERY / 2);
  });
});
