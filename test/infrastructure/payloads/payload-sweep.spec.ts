import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { Clock } from '../../../src/application/kernel/clock.port.js';
import type { EventReads, EventStore } from '../../../src/application/kernel/event-store.port.js';
import { PayloadFigures } from '../../../src/application/kernel/payload-figures.js';
import { digestOf, type PayloadPlace } from '../../../src/application/kernel/payload-store.port.js';
import { UnreadableStream } from '../../../src/application/kernel/unreadable-stream.js';
import { inPlaceOf } from '../../../src/domain/task/outside-payload.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { FolderPayloads } from '../../../src/infrastructure/payloads/folder-payloads.js';
import { checkPayloads, type PayloadFinding } from '../../../src/infrastructure/payloads/payload-check.js';
import { PayloadSweep } from '../../../src/infrastructure/payloads/payload-sweep.js';
import { defineQueue, enqueue } from '../../support/events.js';
import { openStore } from '../../support/eventstoredb/open-store.js';
import { openPostgresStore } from '../../support/postgres-store.js';

const TEXT = 'large';
const SHA_256 = digestOf(TEXT);
const [YESTERDAY, BEFORE_YESTERDAY] = ['2026-11-27', '2026-11-26'];

class Morning extends Clock {
  now(): Date {
    return new Date('2026-11-28T00:00:01.000Z');
  }
}

const placeOf = (task: string, day = BEFORE_YESTERDAY): PayloadPlace => ({ task, sha256: SHA_256, day });

interface Opened {
  readonly store: EventStore;
  close(): Promise<void>;
}

describe.each<[string, () => Promise<Opened>]>([
  ['Postgres', openPostgresStore],
  ['EventStoreDB', openStore],
])('payloads in a folder, with the events in %s', (_, open) => {
  let opened: Opened;
  let folder: FolderPayloads;
  let figures: PayloadFigures;
  beforeEach(async () => {
    opened = await open();
    folder = new FolderPayloads(await mkdtemp(join(tmpdir(), 'waybill-payloads-')));
    await folder.mark('one');
    figures = new PayloadFigures();
  });
  afterEach(() => opened.close());

  const sweepOf = (log: EventReads = opened.store, atOnce?: number): PayloadSweep =>
    new PayloadSweep(folder, log, new Morning(), figures, atOnce);

  /** A task whose event names a payload, which is stored. */
  async function named(day = BEFORE_YESTERDAY): Promise<PayloadPlace> {
    const task = uuidv7();
    const payload = inPlaceOf({ ...placeOf(task, day), bytes: TEXT.length });
    await opened.store.append([enqueue('scans', { payload }, undefined, task)]);
    return stored(placeOf(task, day));
  }

  async function stored(place: PayloadPlace): Promise<PayloadPlace> {
    await folder.put(place, TEXT);
    return place;
  }

  const left = () => folder.list(null, '9999-12-31', 1_000);

  it('are swept if no event names them, and have been there for more than a day', async () => {
    await opened.store.append([defineQueue('scans')]);
    const keeps = [await named(), await named(YESTERDAY)];
    const young = await stored(placeOf(uuidv7(), YESTERDAY));
    await stored(placeOf(uuidv7()));
    // The event names the payload of another day, and one with another digest.
    await stored({ ...keeps[0]!, day: '2026-11-25' });
    await stored({ ...keeps[0]!, sha256: digestOf('other') });

    const hasMore = await sweepOf().next();

    expect(await left()).toEqual([keeps[0], ...[keeps[1]!, young].sort((a, b) => (a.task < b.task ? -1 : 1))]);
    expect([hasMore, figures.swept]).toEqual([false, 3]);
  });

  it('are swept some at a time', async () => {
    await opened.store.append([defineQueue('scans')]);
    for (let n = 0; n < 3; n++) await stored(placeOf(uuidv7()));
    const sweep = sweepOf(opened.store, 2);

    const looks = [await sweep.next(), (await left()).length, await sweep.next(), (await left()).length];

    expect(looks).toEqual([true, 1, false, 0]);
  });

  it('are kept if the stream of their task cannot be read', async () => {
    await opened.store.append([defineQueue('scans')]);
    const place = await stored(placeOf(uuidv7()));
    const broken = Object.create(opened.store, {
      readFirst: { value: () => Promise.reject(new UnreadableStream(taskStream(place.task), null, 'damaged')) },
    }) as EventReads;

    await sweepOf(broken).next();

    expect(await left()).toEqual([place]);
  });

  it('are checked against the digests in the log', async () => {
    await opened.store.append([defineQueue('scans')]);
    const [gone, changed, right] = [await named(), await named(), await named()];
    await folder.delete(gone);
    await folder.put(changed, 'forged');
    const findings: PayloadFinding[] = [];

    const read = await checkPayloads(opened.store, folder, (finding) => findings.push(finding));

    expect(read).toBe(3);
    expect(findings).toMatchObject([
      { kind: 'PAYLOAD_MISSING', says: expect.stringContaining(gone.task) },
      { kind: 'PAYLOAD_CHANGED', says: expect.stringContaining(digestOf('forged')) },
    ]);
    expect(JSON.stringify(findings.map(({ says }) => says))).not.toContain(right.task);
  });
});
