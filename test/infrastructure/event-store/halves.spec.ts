import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { EVENTS, type EventType } from '../../../src/domain/events.js';
import { PUBLIC_PARTS } from '../../../src/domain/kernel/event-declaration.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { eventCodec } from '../../../src/infrastructure/event-codec/event-codec.js';
import {
  type DigestedSegment,
  digestText,
  newSalts,
  segmentDigest,
} from '../../../src/infrastructure/event-codec/segment-digest.js';
import { segmentData } from '../../../src/infrastructure/event-codec/segment-text.js';
import { defineQueue, enqueue, item, failed } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

type Data = Readonly<Record<string, unknown>>;

const GOLDEN = join(import.meta.dirname, '../../golden');
const RUNS = Number(process.env.HALVES_RUNS ?? 20);

/** Data of each type and version, once stored. */
function samples(): ReadonlyMap<string, readonly Data[]> {
  const found = new Map<string, Data[]>();
  for (const { name } of readdirSync(GOLDEN, { withFileTypes: true }).filter((one) => one.isDirectory()))
    for (const line of readFileSync(join(GOLDEN, name, 'eventstoredb.ndjson'), 'utf8')
      .split('\n')
      .slice(0, -1)) {
      const { type, data, metadata } = JSON.parse(line) as Record<'type' | 'data' | 'metadata', string>;
      const { version } = JSON.parse(metadata) as { readonly version: number };
      const key = `${type} ${version}`;
      found.set(key, [...(found.get(key) ?? []), JSON.parse(data) as Data]);
    }
  return found;
}

/** Without NUL, which the API refuses. */
const TEXT = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll('\0', '\n'));

/** Values of the same form: other texts and numbers, longer and shorter lists, and objects without some of their members. */
function like(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === 'string') return fc.oneof(fc.constant(value), TEXT);
  if (typeof value === 'number') return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
  if (Array.isArray(value)) return fc.array(value.length > 0 ? like(value[0]) : fc.jsonValue(), { maxLength: 3 });
  if (typeof value !== 'object' || value === null) return fc.oneof(fc.constant(value), fc.jsonValue());
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, like(member)]));
  return fc.record(members, { requiredKeys: [] });
}

const SAMPLES = samples();
const TYPES = Object.keys(EVENTS) as EventType[];

/** What an event of the type may have. */
function someOf(type: EventType): fc.Arbitrary<readonly Data[]> {
  const every = Object.assign({}, ...SAMPLES.get(`${type} ${EVENTS[type].version}`)!) as Data;
  return fc.array(like(every) as fc.Arbitrary<Data>, { minLength: 1, maxLength: 5 });
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const encode = (type: EventType, data: readonly Data[]) => eventCodec.encodeAll(type, EVENTS[type].version, data);

const privateOf = (type: EventType): readonly string[] =>
  Object.entries(EVENTS[type].private ?? {}).flatMap(([name, isPrivate]) => (isPrivate ? name : []));

/** Of any data, with any neighbours in its segment. */
const each = (type: EventType, holds: (data: readonly Data[]) => void): void =>
  fc.assert(fc.property(someOf(type), holds), { numRuns: RUNS });

describe.each(TYPES)('%s', (type) => {
  it('is the same after it was stored in halves', () => {
    each(type, (data) => {
      const { shared, lines, private: hidden } = encode(type, data);
      expect(segmentData(shared, lines, hidden)).toEqual(asJson(data));
    });
  });

  it('has what it was about in the private half alone', () => {
    each(type, (data) => {
      const { shared, lines } = encode(type, data);
      const open = [...lines.split('\n'), shared ?? '{}'].map((line) => JSON.parse(line) as Data);
      for (const half of open)
        for (const name of privateOf(type))
          expect(Object.keys((half[name] as object | undefined) ?? {})).toEqual(
            (PUBLIC_PARTS[name] ?? []).filter((part) => part in ((half[name] as object | undefined) ?? {})),
          );
    });
  });

  it('is stored as JSON that gives itself again', () => {
    each(type, (data) => {
      const { lines, private: hidden } = encode(type, data);
      for (const stored of [...lines.split('\n'), ...(hidden ?? '').split('\n').filter(Boolean)])
        expect(JSON.stringify(JSON.parse(stored))).toBe(stored);
    });
  });
});

describe('a digest', () => {
  let db: PostgresFixture;
  beforeAll(async () => {
    db = await openPostgresStore();
  });
  afterAll(() => db.close());

  const DIGESTS = `select encode(waybill_digest(s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.lines, s.private, s.salts), 'hex') as digest
    from rows from (jsonb_to_recordset($1) as (category text, type text, version int, meta text, shared text, streams uuid[], revisions int[], ids uuid[],
        lines text, private text, salts bytea))
      with ordinality as s(category, type, version, meta, shared, streams, revisions, ids, lines, private, salts, n) order by n`;

  async function digestsOf(segments: readonly DigestedSegment[]): Promise<readonly string[]> {
    const given = segments.map((one) => ({ ...one, salts: one.salts && `\\x${one.salts.toString('hex')}` }));
    const { rows } = await db.pool.query<{ digest: string }>(DIGESTS, [JSON.stringify(given)]);
    return rows.map(({ digest }) => digest);
  }

  function segmentOf(type: EventType, data: readonly Data[], revisions: readonly number[] | null): DigestedSegment {
    const text = encode(type, data);
    const ids = () => data.map(() => uuidv7());
    const { category, version } = EVENTS[type];
    const meta = JSON.stringify({ actor: 'Åda', reason: 'a\n"b"' });
    const salts = text.private === null ? null : newSalts(data.length);
    return { category, type, version, meta, ...text, streams: ids(), revisions, ids: ids(), salts };
  }

  const revisionsFor = (data: readonly Data[]): readonly (readonly number[] | null)[] => [
    null,
    [7],
    data.map((_, at) => at),
  ];

  it('is the same in SQL, for random data of every event', async () => {
    const segments = TYPES.flatMap((type) =>
      fc.sample(someOf(type), RUNS).map((data, at) => segmentOf(type, data, revisionsFor(data)[at % 3]!)),
    );
    expect(await digestsOf(segments)).toEqual(segments.map((one) => segmentDigest(one).toString('hex')));
  });

  it('is that of a text that anybody can write', () => {
    const [one, other, stream, next] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
    const halves = ['{"payload":"ä"}', ''];
    const salts = newSalts(2);
    const segment: DigestedSegment = {
      category: 'task',
      type: 'TaskEnqueued',
      version: 1,
      meta: '{"actor":"shop"}',
      shared: '{"queue":"mail"}',
      streams: [stream, next],
      revisions: null,
      ids: [one, other],
      lines: '{}\n{"steps":["a"]}',
      private: halves.join('\n'),
      salts,
    };
    const commitment = createHash('sha256').update(salts.subarray(0, 16)).update(halves[0]!).digest('base64');
    const text = [
      'task TaskEnqueued 1 2',
      '{"actor":"shop"}',
      '{"queue":"mail"}',
      `${stream} 0 ${one} ${commitment}`,
      `${next} 0 ${other} -`,
      '{}',
      '{"steps":["a"]}',
      '',
    ].join('\n');
    expect(digestText(segment)).toBe(text);
    expect(segmentDigest(segment).toString('hex')).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('has salts that are never used again', () => {
    const salts = Array.from({ length: 2_000 }, (_, at) => newSalts(1 + (at % 64)).toString('hex'));
    const each = salts.flatMap((text) => text.match(/.{32}/g)!);
    expect(new Set(each).size).toBe(each.length);
  });

  it('of what is stored is right, also where others of the same append were refused', async () => {
    const queue = `q-${uuidv7()}`;
    await db.store.append([defineQueue(queue)]);
    const tasks = Array.from({ length: 70 }, (_, at) => enqueue(queue, at % 3 === 0 ? { payload: { at } } : {}));
    await db.store.append(tasks.slice(0, 5));
    const results = await db.store.append([...tasks, item(tasks[0]!.stream, 7, failed(queue, '1'))]);
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['duplicate', 'conflict', 'appended']));
    expect(await wrongDigests()).toEqual([]);
    const read = await db.store.readStreams(tasks.map(({ stream }) => stream));
    expect(read.map(([first]) => first!.event.data as Data)).toEqual(
      tasks.map(({ events: [first] }) => asJson(first!.event.data)),
    );
  });

  it('stays when a private half is erased, and so do the other halves', async () => {
    const queue = `q-${uuidv7()}`;
    const tasks = ['Ann', 'Ben', 'Cem'].map((name) => enqueue(queue, { payload: { name }, key: name }));
    await db.store.append([defineQueue(queue)]);
    await db.store.append(tasks);
    const id = taskIdOf(tasks[1]!.stream);
    const digest = 'select encode(digest, $2) as digest from segments where $1 = any (streams)';
    const before = (await db.pool.query(digest, [id, 'hex'])).rows;
    await db.pool.query(
      `update segments set private = (
           select string_agg(case when n = 2 then '#' || waybill_commitment(substr(salts, 17, 16), half) else half end, E'\\n' order by n)
           from string_to_table(private, E'\\n') with ordinality as h(half, n)),
         salts = overlay(salts placing '\\x00000000000000000000000000000000' from 17) where $1 = any (streams)`,
      [id],
    );
    expect((await db.pool.query(digest, [id, 'hex'])).rows).toEqual(before);
    expect(await wrongDigests()).toEqual([]);
    const read = await db.store.readStreams(tasks.map(({ stream }) => stream));
    expect(read.map(([first]) => (first!.event.data as { payload?: unknown }).payload)).toEqual([
      { name: 'Ann' },
      undefined,
      { name: 'Cem' },
    ]);
    const all = await db.store.readAll(0n, 10_000);
    expect(all.find(({ stream }) => stream === tasks[1]!.stream)!.event.data).toEqual({ queue, kind: 'task' });
    const view = await db.pool.query<{ data: string }>('select data from events where stream = $1', [id]);
    expect(view.rows.map(({ data }) => JSON.parse(data) as Data)).toEqual([{ queue, kind: 'task' }]);
  });

  it('does not cover what is left of an erased half, of which readers take the group alone', async () => {
    const queue = `q-${uuidv7()}`;
    const task = enqueue(queue, { payload: 1 });
    await db.store.append([defineQueue(queue)]);
    await db.store.append([task]);
    await db.store.append([item(task.stream, 0, failed(queue, '1'))]);
    const id = taskIdOf(task.stream);
    const forged = '{"error":{"message":"no paper","class":"lost","group":"g0123456789abcde"},"worker":"mallory"}';
    const { rows } = await db.pool.query<{ position: string }>(
      `select position from segments where $1 = any (streams) and private is not null`,
      [id],
    );
    const positions = rows.map(({ position }) => position);
    await db.pool.query('select from waybill_erase($1, $2)', [positions, positions.map(() => forged)]);
    const [history] = await db.store.readStreams([task.stream]);
    const all = (await db.store.readAll(0n, 10_000)).filter(({ stream }) => stream === task.stream);
    const view = await db.pool.query<{ data: string }>('select data from events where stream = $1 order by position', [
      id,
    ]);
    const read = [
      history!.map(({ event }) => event.data as Data),
      all.map(({ event }) => event.data as Data),
      view.rows.map(({ data }) => JSON.parse(data) as Data),
    ];
    const error = { message: '(erased)', class: 'business', group: 'g0123456789abcde' };
    for (const [enqueuedData, ...failures] of read) {
      expect(enqueuedData).toEqual({ queue, kind: 'task' });
      expect(failures.map((data) => data.error)).toEqual([error, error]);
    }
    expect(JSON.stringify(read)).not.toContain('mallory');
  });

  async function wrongDigests(): Promise<readonly unknown[]> {
    const { rows } = await db.pool.query(`select position, type from segments s where digest is distinct from
      waybill_digest(s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.data, s.private, s.salts)`);
    return rows;
  }
});
