import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { PERMISSIONS } from '../../src/api/access/api-keys.js';
import { Alike } from '../support/both-modes/alike.js';
import { type Played, Player } from '../support/both-modes/player.js';
import { METRICS, playCommands, playReadings } from '../support/both-modes/scenario.js';
import { EventStoreDbFixture } from '../support/eventstoredb/fixture.js';
import { type RunningService, startService } from '../support/running-service.js';

const KEY = 'wb_boss';
const apiKeys = [{ name: 'boss', sha256: createHash('sha256').update(KEY).digest('hex'), may: [...PERMISSIONS] }];

/** Plays the scenario with the events in the store of this address; in Postgres without one. */
async function played(eventStoreUrl?: string): Promise<readonly Played[]> {
  const service = await startService({
    apiKeys,
    eventStoreUrl: eventStoreUrl!,
    inboundSecrets: { shop: 'a secret of the shop' },
  });
  try {
    const player = new Player(service.url, KEY);
    const start = Date.now();
    await playReadings(player, await playCommands(player, () => age(service)));
    return new Alike(start).of(player.played);
  } finally {
    await service.stop();
  }
}

/** Makes what waits and runs in the queue `slow` older. */
async function age({ pool }: RunningService): Promise<void> {
  const earlier = (column: string): string => `${column} = ${column} - interval '20 minutes'`;
  const columns = ['enqueued_at', 'started_at', 'waiting_since'].map(earlier).join();
  await pool.query(`update tasks set ${columns} where queue = 'slow'`);
  await pool.query(`update ready set ${earlier('since')} where queue = 'slow'`);
}

describe('a service with its events in EventStoreDB', () => {
  let fixture: EventStoreDbFixture;
  let here: readonly Played[];
  let there: readonly Played[];
  beforeAll(async () => {
    fixture = await EventStoreDbFixture.start();
    here = await played();
    there = await played(fixture.url);
  });
  afterAll(() => fixture.stop());

  it('gives the same answers as one with its events in Postgres, and shows the same', () => {
    expect(here.length).toBeGreaterThan(200);
    expect(there).toEqual(here);
  });

  it('is compared by metrics that tell something', () => {
    const { answer } = there.find(({ what }) => what.startsWith('readMetrics'))!;
    const samples = Object.entries((answer as [number, Record<string, number>])[1]);
    const told = samples.filter(([, value]) => value !== 0).map(([series]) => series.split('{')[0]!);
    expect([...new Set(told)].sort()).toEqual(METRICS.told);
  });
});
