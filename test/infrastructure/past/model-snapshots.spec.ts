import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEPT_MODELS } from '../../../src/infrastructure/past/kept-models.js';
import { FoldedRows } from '../../../src/infrastructure/past/models/folded-rows.js';
import { ModelGaps } from '../../../src/infrastructure/past/models/model-gaps.js';
import { ModelSnapshots } from '../../../src/infrastructure/past/models/model-snapshots.js';
import { rowsAfter } from '../../../src/infrastructure/past/models/rows-after.js';
import type { LogScale } from '../../../src/infrastructure/past/snapshots/snapshot.js';
import { SnapshotWriter } from '../../../src/infrastructure/past/snapshots/snapshot-writer.js';
import { Snapshots } from '../../../src/infrastructure/past/snapshots/snapshots.js';
import { HistoryNotReady } from '../../../src/projections/kernel/past.port.js';
import type { ModelRow } from '../../../src/projections/kernel/rows-then.port.js';
import { logOf, type OpenLog } from '../../support/history/log-of.js';
import { RandomHistory, randomFrom } from '../../support/history/random-history.js';
import { Memory } from '../../support/history/remembered.js';
import { momentAt, SCALE } from '../../support/history/snapshots-then.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const STEPS = 60;
const LIVES = 30;
/** As if so many events had happened that rows are due after 4 positions, or 4,096 bytes of another store's log. */
const OFTEN: LogScale = {
  place: SCALE.place,
  positionsPerEvent: SCALE.positionsPerEvent / 16_384,
  bytesPerEvent: SCALE.bytesPerEvent,
};
const MODELS = KEPT_MODELS.map(({ model }) => model);

let service: RunningService;
let log: OpenLog;
let models: ModelSnapshots;
let snapshots: Snapshots;
let head: bigint;
beforeAll(async () => {
  service = await startService();
  const history = new RandomHistory(service.waybill, randomFrom(7));
  await history.begin();
  for (let step = 0; step < STEPS; step++) await history.step();
  for (let at = 0; at < LIVES; at++) await live(at);
  log = logOf(service);
  [models, snapshots] = [new ModelSnapshots(service.pool), new Snapshots(service.pool)];
  head = BigInt(await new Memory(service.url).head());
});
afterAll(async () => {
  await log.close();
  await service.stop();
});

/** Every second one ends, well or not, and of the others the worker still has the task. */
async function live(at: number): Promise<void> {
  const { waybill } = service;
  const queue = waybill.queue('line');
  if (at === 0) await queue.define({ onFailure: 'fail' });
  await queue.enqueue(at);
  const [task] = await queue.claim({ worker: `w${at % 4}`, leaseMs: 3_600_000 });
  const failure = { type: 'fail', error: { message: `no ${at}`, class: 'business' } } as const;
  const verdict = at % 4 === 0 ? failure : ({ type: 'succeed' } as const);
  if (at % 2 === 0) await waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict }]);
}

const sorted = (rows: readonly ModelRow[]): readonly string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();

/** By the rules of the model alone, from the first event on. */
const fromBeginning = async (model: (typeof MODELS)[number], upTo: bigint): Promise<readonly string[]> =>
  sorted((await rowsAfter(log, model, { position: 0n, rows: [] }, upTo)).rows);

async function filled(): Promise<void> {
  const gaps = new ModelGaps(models, snapshots, log, OFTEN);
  for (let more = true; more;) more = await gaps.fill(head);
}

describe('the rows of models that are kept', () => {
  it('are made of the log where they lack, and each equals the count from the beginning', async () => {
    // The service may have taken one, which has the rows with it.
    await service.pool.query('truncate model_snapshots, snapshots, snapshot_tasks');
    const rows = new FoldedRows(models, snapshots, log, OFTEN);
    await expect(rows.of(MODELS[0]!, momentAt(head))).rejects.toBeInstanceOf(HistoryNotReady);
    await filled();
    for (const model of MODELS) {
      const kept = await models.everyPosition(model);
      expect(kept.length).toBeGreaterThan(3);
      for (const { position } of kept) {
        const { rows: stored } = await models.before(model, position);
        expect([position, sorted(stored)]).toEqual([position, await fromBeginning(model, position)]);
      }
      expect(sorted(await rows.of(model, momentAt(head)))).toEqual(await fromBeginning(model, head));
    }
  });

  it('are of one version of their model, and made again for another', async () => {
    const rows = () => new FoldedRows(models, snapshots, log, OFTEN).of(MODELS[1]!, momentAt(head));
    const before = sorted(await rows());
    await service.pool.query(`update model_snapshots set version = 0, rows = '[]' where model = $1`, [MODELS[1]!.name]);
    await expect(rows()).rejects.toBeInstanceOf(HistoryNotReady);
    await filled();
    expect(sorted(await rows())).toEqual(before);
  });

  it('are those of the tables where a snapshot is taken', async () => {
    await service.pool.query('truncate model_snapshots, snapshots, snapshot_tasks');
    await until('a snapshot', () => new SnapshotWriter(service.pool, SCALE).take());
    for (const model of MODELS) {
      const { position } = (await models.everyPosition(model))[0]!;
      const { rows } = await models.before(model, position);
      expect(rows.length).toBeGreaterThan(0);
      expect(sorted(rows)).toEqual(await fromBeginning(model, position));
    }
  });
});
