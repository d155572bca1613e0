import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppendItem } from '../../src/application/kernel/event-store.port.js';
import type { ResolvedEvent } from '../../src/infrastructure/eventstoredb/log/clients/store-client.port.js';
import { halvesBy } from '../../src/infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import type { OwnEvent } from '../../src/infrastructure/eventstoredb/log/halves/event-halves.js';
import { MasterKeys } from '../../src/infrastructure/eventstoredb/log/halves/master-keys.js';
import { storedLeaf } from '../../src/infrastructure/eventstoredb/log/stored-leaf.js';
import { TransactionLog } from '../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { enqueue } from '../support/events.js';
import { openLog } from '../support/eventstoredb/open-log.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

const FILE = join(__dirname, 'encrypted-halves.json');
const MASTER = Buffer.alloc(32, 7).toString('base64');
const [TASK, OTHER, TRANSACTION] = [1, 2, 3].map((n) => `019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4${n}`) as [
  string,
  string,
  string,
];
const AT = '2026-11-28T08:00:00.000Z';

const GIVEN: readonly AppendItem[] = [TASK, OTHER].map((task) =>
  enqueue('mail', { payload: { to: `ä-${task}` }, labels: { customer: 'ä' } }, undefined, task),
);

interface StoredText {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
  readonly revision: string;
  readonly position: string;
  readonly data: string;
  readonly metadata: string;
}

interface Golden {
  readonly keys: readonly { readonly stream: string; readonly master: string; readonly key: string }[];
  readonly events: readonly StoredText[];
  /** Of the events of tasks. */
  readonly leaves: readonly string[];
}

/** Written once, and never again: what is stored is so for ever. */
async function written({ pool }: PostgresFixture): Promise<Golden> {
  const { log, server, prefix, close } = await openLog({ halves: halvesBy(pool, MasterKeys.in(MASTER)) });
  await new TransactionLog(log).commit({ id: TRANSACTION, items: GIVEN, recordedAt: AT });
  for (const item of GIVEN) await log.append([item], { recordedAt: AT });
  const events = server.log.ordinary
    .filter(({ stream }) => stream.startsWith(prefix))
    .map(({ stream, revision, position, data, metadata, id, type }) => ({
      stream: stream.slice(prefix.length),
      id,
      type,
      revision: String(revision),
      position: String(position),
      data: Buffer.from(data).toString(),
      metadata: Buffer.from(metadata).toString(),
    }));
  await close();
  const { rows } = await pool.query<{ stream: string; master: string; key: Buffer }>('select * from content_keys');
  const keys = rows.map(({ stream, master, key }) => ({ stream, master, key: key.toString('base64') }));
  return { keys, events, leaves: tasksIn(events).map((event) => leafOf(ownEvent(event))) };
}

const tasksIn = (events: readonly StoredText[]) => events.filter(({ stream }) => stream.startsWith('task-'));
const leafOf = ({ resolved, stream }: OwnEvent): string => storedLeaf(resolved, stream).text;

function ownEvent({ stream, revision, position, data, metadata, ...event }: StoredText): OwnEvent {
  const stored = { data: JSON.parse(data) as object, metadata: JSON.parse(metadata) as object };
  const commit = BigInt(position);
  const place = { streamId: stream, revision: BigInt(revision), position: { commit }, created: new Date(0) };
  return { stream, resolved: { event: { ...event, ...stored, ...place }, commitPosition: commit } as ResolvedEvent };
}

describe('encrypted halves that were once stored', () => {
  let database: PostgresFixture;
  let golden: Golden;
  beforeAll(async () => {
    database = await openPostgresStore();
    if (process.env.GOLDEN === 'write' && !existsSync(FILE))
      writeFileSync(FILE, `${JSON.stringify(await written(database), null, 1)}\n`);
    golden = JSON.parse(readFileSync(FILE, 'utf8')) as Golden;
    await database.pool.query('truncate content_keys');
    for (const { stream, master, key } of golden.keys)
      await database.pool.query('insert into content_keys values ($1, $2, $3)', [
        stream,
        master,
        Buffer.from(key, 'base64'),
      ]);
  });
  afterAll(() => database.close());

  const halves = () => halvesBy(database.pool, MasterKeys.in(MASTER));
  const whole = GIVEN.map(({ events }) => events[0]!.event.data);

  it('are read as ever, also those in the event that committed a transaction', async () => {
    const opened = await halves().open(golden.events.map(ownEvent));
    const data = opened.map(({ event }) => event!.data as { items?: readonly AppendItem[] });
    expect(data[0]!.items!.map(({ events }) => events[0]!.event.data)).toEqual(whole);
    expect(data.slice(1)).toEqual(whole);
  });

  it('have the leaves that they had, whose commitments are those of the halves', async () => {
    const events = tasksIn(golden.events).map(ownEvent);
    expect(events.map(leafOf)).toEqual(golden.leaves);
    const revealed = await halves().reveal(events);
    expect(revealed.map((half) => JSON.parse(half!.line) as object)).toEqual(
      [TASK, OTHER].map((task) => ({ payload: { to: `ä-${task}` }, labels: { customer: 'ä' } })),
    );
  });
});
