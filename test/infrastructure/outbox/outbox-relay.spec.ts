import type { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { EventStoreUnavailable } from '../../../src/application/kernel/application-error.js';
import { ChangePolicy } from '../../../src/application/queues/change-policy.handler.js';
import { DefineQueue } from '../../../src/application/queues/define-queue.handler.js';
import { OperateQueue } from '../../../src/application/queues/operate-queue.handler.js';
import type { PolicyChanges } from '../../../src/application/queues/policy-changes.js';
import { DrainSystem, ResumeSystem } from '../../../src/application/system/drain-system.handler.js';
import type { EnqueueTasks } from '../../../src/application/tasks/enqueue-tasks.handler.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { PostgresWakeUps } from '../../../src/infrastructure/notify/postgres-wake-ups.js';
import { OutboxRelay, ROWS_PER_ROUND } from '../../../src/infrastructure/outbox/outbox-relay.js';
import { OutboxTable } from '../../../src/infrastructure/outbox/outbox-table.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { PostgresApplication } from '../reactions/postgres-application.js';

const NIL = '00000000-0000-0000-0000-000000000000';
const BY = { actor: 'ann', correlationId: 'test' };

let app: PostgresApplication;
const leaders: Leaders[] = [];
beforeAll(async () => (app = await PostgresApplication.start()));
afterAll(async () => {
  await Promise.all(leaders.map((one) => one.close()));
  await app.stop();
});
afterEach(() => app.db.pool.query('delete from waybill_outbox'));

const relayOn = (outbox: OutboxTable, commands: CommandBus = app.commands): OutboxRelay => {
  const { pool, wakeUps } = app.db;
  leaders.push(new Leaders(pool, { retryMs: 20 }));
  return new OutboxRelay(commands, outbox, wakeUps, leaders.at(-1)!);
};
const relay = () => relayOn(new OutboxTable(app.db.pool));

async function queue(policy: PolicyChanges = {}): Promise<string> {
  const name = `q-${uuidv7()}`;
  await app.commands.execute(new DefineQueue(name, '', policy, BY));
  return name;
}

/** Writes tasks to the outbox like a producer. */
async function leave(name: string, count = 1): Promise<string[]> {
  const { rows } = await app.db.pool.query<{ id: string }>(
    'select waybill.enqueue($1, to_jsonb(n)) as id from generate_series(1, $2::int) as n',
    [name, count],
  );
  return rows.map(({ id }) => id);
}

const rows = async (): Promise<{ id: string; refusal: { code: string } | null }[]> =>
  (await app.db.pool.query('select id, refusal from waybill_outbox order by seq')).rows as never;
/** As if the pauses were over. */
const due = () => app.db.pool.query('update waybill_outbox set retry_at = now() where retry_at is not null');
const now = async (): Promise<number> =>
  Date.parse((await app.db.pool.query<{ now: string }>('select clock_timestamp() as now')).rows[0]!.now);
const eventsOf = async (id: string) => (await app.db.store.readStreams([taskStream(id)]))[0]!;

describe('a round', () => {
  it('has rows of 4 MiB at most, or a larger one, and the next ones follow without a wait', async () => {
    const name = await queue({ limits: { payloadBytes: 16 * 1024 * 1024 } });
    const sizes = [10, 3_000_000, 3_000_000, 5_000_000, 10];
    await app.db.pool.query(
      `select waybill.enqueue($1, to_jsonb(repeat('x', bytes)), data => jsonb_build_object('a', repeat('x', 1000))) from unnest($2::int[]) with ordinality as u(bytes, n) order by n`,
      [name, sizes],
    );
    const relaying = relay();
    const rounds: { found: number; more: boolean }[] = [];
    do rounds.push(await relaying.relay());
    while (rounds.at(-1)!.more);
    expect(rounds.map(({ found }) => found)).toEqual([2, 1, 1, 1]);
    expect(await rows()).toEqual([]);
  });
});

describe('a row that no task can be made of', () => {
  /** Commands of which those with this row fail. */
  const failing = (id: string, error: Error): CommandBus =>
    ({
      execute: (command: EnqueueTasks) =>
        command.items.some(({ taskId }) => taskId === id) ? Promise.reject(error) : app.commands.execute(command),
    }) as unknown as CommandBus;
  const data = Object.assign(new Error('invalid byte sequence'), { code: '22021' });

  it.each([
    ['is refused, and holds back no other, if its data are at fault', data, { code: 'COMMAND_FAILED' }, 10],
    ['is tried again, and holds back no other, after another error', new Error('a bug'), null, 9],
  ])('%s', async (_, error, refusal, through) => {
    const ids = await leave(await queue(), 10);
    const bad = ids[3]!;
    expect(await relayOn(new OutboxTable(app.db.pool), failing(bad, error)).relay()).toMatchObject({ through });
    expect(await rows()).toEqual([{ id: bad, refusal }]);
    for (const id of ids) expect(await eventsOf(id)).toHaveLength(id === bad ? 0 : 1);
  });

  it('is not looked for while the store is away', async () => {
    const [id] = await leave(await queue(), 10);
    const away = new EventStoreUnavailable('away');
    await expect(relayOn(new OutboxTable(app.db.pool), failing(id!, away)).relay()).rejects.toBe(away);
    expect(await rows()).toHaveLength(10);
  });
});

/** A producer's transaction, ended by `end`. */
async function producer(end: 'commit' | 'rollback', work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const { client, query, release } = await app.db.pool.connect();
  await query('begin');
  await work(client);
  await query(end);
  release();
}

/** The tests' login, as the history records it. */
const login = async (): Promise<string> =>
  `postgres/${(await app.db.pool.query('select session_user as me')).rows[0]!.me}`;

/** The actors in the rows of another login, which has `rights` on the outbox, or those of a producer. */
async function actorsOf(name: string, rights: string, ...statements: string[]): Promise<string[]> {
  await producer('commit', async (client) => {
    const role = client.escapeIdentifier(name);
    await client.query(
      `create role ${role}; grant usage on schema waybill to ${role}; ${rights.replace('ROLE', role)}`,
    );
    await client.query(`set local session authorization ${role}`);
    for (const statement of statements) await client.query(statement);
    await client.query(`reset session authorization; drop owned by ${role}; drop role ${role}`);
  });
  const { rows: left } = await app.db.pool.query<{ actor: string }>('select actor from waybill_outbox order by seq');
  return left.map(({ actor }) => actor);
}

describe('the outbox', () => {
  it('turns the rows of a committed transaction into tasks, with all their fields', async () => {
    const name = await queue({ steps: ['load', { name: 'store', optional: true }] });
    const id = uuidv7();
    await producer('commit', async (client) => {
      await client.query(
        `select waybill.enqueue($1, '{"to": "ada"}', id => $2, key => 'k', reference => 'r', kind => 'mail', priority => 3,
           due_at => '2030-01-01T01:00+01', labels => '{"a": "b"}', description => 'd', actor => 'shop', ttl_ms => 60000,
           deadline_at => '2030-01-02T01:00+01', steps => '{store}', context => $3, audit_context => 'audit-1', data => '{"n": 1, "none": null}')`,
        [name, id, NIL],
      );
      expect(await relay().relay()).toMatchObject({ found: 0, through: 0, more: false });
    });
    expect(await relay().relay()).toMatchObject({ found: 1, through: 1, more: false });
    const [{ event, envelope }] = (await eventsOf(id)) as [Awaited<ReturnType<typeof eventsOf>>[0]];
    expect(event).toEqual({
      type: 'TaskEnqueued',
      version: 1,
      data: {
        queue: name,
        kind: 'mail',
        key: 'k',
        reference: 'r',
        priority: 3,
        dueAt: '2030-01-01T00:00:00.000Z',
        expiresAt: '2030-01-01T00:01:00.000Z',
        ttlMs: 60_000,
        deadlineAt: '2030-01-02T00:00:00.000Z',
        steps: ['store'],
        context: NIL,
        auditContext: 'audit-1',
        data: { n: 1 },
        labels: { a: 'b' },
        description: 'd',
        payload: { to: 'ada' },
      },
    });
    expect(envelope.actor).toBe(`${await login()}:shop`);
    expect(await rows()).toEqual([]);
  });

  it('takes the login as the actor of a producer that names none, and keeps a payload of null', async () => {
    const name = await queue();
    await app.db.pool.query(`select waybill.enqueue($1, 'null')`, [name]);
    await relay().relay();
    const [{ event, envelope }] = (await app.db.store.readAll((await app.db.store.head()) - 1n, 1)) as [
      Awaited<ReturnType<typeof eventsOf>>[0],
    ];
    expect(event.data).toEqual({ queue: name, kind: 'task', payload: null });
    expect(envelope.actor).toBe(await login());
  });

  it.each([
    ['shop', 'postgres/shop'],
    ['Shop-2.eu', 'postgres/Shop-2.eu'],
    // Different from the login 'shop' acting for 'ann'.
    ['shop:ann', 'postgres/"shop:ann"'],
    ['"shop"', 'postgres/"""shop"""'],
  ])('takes the login %s from the database, whatever the producer says', async (role, name) => {
    const said = ['ann', 'postgres/boss', 'boss', role].map(
      (actor) => `select waybill.enqueue('q', actor => '${actor}')`,
    );
    expect(await actorsOf(role, '', ...said, `select waybill.enqueue('q')`)).toEqual([
      `${name}:ann`,
      `${name}:postgres/boss`,
      `${name}:boss`,
      name,
      name,
    ]);
  });

  it('takes the login from the database even if a row was inserted directly or changed', async () => {
    const insert = (actor: string) =>
      `insert into waybill_outbox (id, queue, actor) values (gen_random_uuid(), 'q', ${actor})`;
    expect(
      await actorsOf(
        'shop',
        'grant insert, select, update on waybill_outbox to ROLE',
        insert('default'),
        insert(`'boss'`),
        `update waybill_outbox set actor = 'postgres/boss' where actor like '%:boss'`,
      ),
    ).toEqual(['postgres/shop', 'postgres/shop:postgres/boss']);
  });

  it('ignores a transaction that was rolled back', async () => {
    const name = await queue();
    await producer('rollback', (client) => client.query('select waybill.enqueue($1)', [name]));
    const [id] = await leave(name);
    expect(await relay().relay()).toMatchObject({ found: 1, through: 1, more: false });
    const { rows: tasks } = await app.db.pool.query('select task_id from tasks where queue = $1', [name]);
    expect(tasks).toEqual([{ task_id: id }]);
  });

  class Dying extends OutboxTable {
    override remove = () => Promise.reject(new Error('killed'));
  }
  const relayAndDie = () => expect(relayOn(new Dying(app.db.pool)).relay()).rejects.toThrow('killed');

  it('makes one task of a row whose relay died before it removed the row', async () => {
    const name = await queue();
    const ids = await leave(name, 3);
    await relayAndDie();
    expect(await rows()).toHaveLength(3);
    expect(await relay().relay()).toMatchObject({ found: 3, through: 3, more: false });
    expect(await rows()).toEqual([]);
    for (const id of ids) expect(await eventsOf(id)).toHaveLength(1);
  });

  it.each([
    [
      'has another policy',
      (name: string) => new ChangePolicy(name, null, { steps: ['a'], defaultPriority: 7 }, null, BY),
    ],
    ['has a closed intake', (name: string) => new OperateQueue(name, { type: 'CloseIntake', reason: null }, BY)],
  ])('removes a row whose relay died, even if the queue %s by then', async (_, change) => {
    const name = await queue();
    const [id] = await leave(name);
    await app.db.pool.query(`select waybill.enqueue($1, due_at => '2030-01-01T01:00+01', labels => '{"a": "b"}')`, [
      name,
    ]);
    await relayAndDie();
    await app.commands.execute(change(name));
    expect(await relay().relay()).toMatchObject({ found: 2, through: 2, more: false });
    expect(await rows()).toEqual([]);
    expect(await eventsOf(id!)).toHaveLength(1);
  });

  it('keeps a row whose id another task has', async () => {
    const name = await queue();
    const [id] = await leave(name);
    await relay().relay();
    await app.db.pool.query(`select waybill.enqueue($1, '"another"', id => $2)`, [name, id]);
    await relay().relay();
    expect(await rows()).toEqual([{ id, refusal: { code: 'TASK_EXISTS' } }]);
  });

  it('makes one task of each row if two relays work at once', async () => {
    const name = await queue();
    const ids = await leave(name, 200);
    const both = await Promise.all([relay().relay(), relay().relay()]);
    expect(Math.max(...both.map(({ through }) => through))).toBe(200);
    expect(await rows()).toEqual([]);
    const streams = await app.db.store.readStreams(ids.map(taskStream));
    expect(streams.map(({ length }) => length)).toEqual(ids.map(() => 1));
  });

  it('keeps a refused row with its reason, and continues with the others', async () => {
    const [open, closed] = [await queue(), await queue()];
    await app.commands.execute(new OperateQueue(closed, { type: 'CloseIntake', reason: null }, BY));
    const [kept] = await leave(closed);
    const [nowhere] = await leave('nowhere');
    const [taken] = await leave(open);
    expect(await relay().relay()).toMatchObject({ found: 3, through: 3, more: false });
    expect(await eventsOf(taken!)).toHaveLength(1);
    expect(await rows()).toEqual([
      { id: kept, refusal: { code: 'INTAKE_CLOSED', queue: closed, by: 'ann', reason: null } },
      { id: nowhere, refusal: { code: 'QUEUE_NOT_FOUND', queue: 'nowhere' } },
    ]);
    expect(await relay().relay()).toMatchObject({ found: 0, through: 0, more: false });
    await app.commands.execute(new OperateQueue(closed, { type: 'OpenIntake' }, BY));
    await app.db.pool.query('update waybill_outbox set refusal = null where id = $1', [kept]);
    expect(await relay().relay()).toMatchObject({ found: 1, through: 1, more: false });
    expect(await eventsOf(kept!)).toHaveLength(1);
  });

  it('keeps a row whose outcome is unknown, and tries it again later', async () => {
    const [id] = await leave(await queue());
    const contended = [{ kind: 'refused', rejection: { code: 'CONTENTION' } }];
    const busy = { execute: () => Promise.resolve(contended) } as unknown as CommandBus;
    expect(await relayOn(new OutboxTable(app.db.pool), busy).relay()).toMatchObject({ through: 0, later: 1 });
    expect(await rows()).toEqual([{ id, refusal: null }]);
    await due();
    expect(await relay().relay()).toMatchObject({ found: 1, through: 1, more: false });
  });

  it('does not let rows that fail again and again hold back later ones, whether they are due or not', async () => {
    const sick = await queue();
    const contended = { kind: 'refused', rejection: { code: 'CONTENTION' } };
    const some = {
      execute: async (command: EnqueueTasks) =>
        command.items[0]!.queue === sick ? command.items.map(() => contended) : app.commands.execute(command),
    } as unknown as CommandBus;
    const one = async () => relayOn(new OutboxTable(app.db.pool), some).relay();
    await leave(sick, ROWS_PER_ROUND);
    expect(await one()).toMatchObject({ found: ROWS_PER_ROUND, later: ROWS_PER_ROUND, more: true });
    for (const areDue of [false, true]) {
      // The command of a round has one actor, and so one fate in this test.
      await app.db.pool.query(`select waybill.enqueue($1, actor => 'another')`, [await queue()]);
      if (areDue) await due();
      else
        await app.db.pool.query(
          `update waybill_outbox set retry_at = now() + interval '1 hour' where retry_at is not null`,
        );
      expect(await one()).toMatchObject({ through: 1, later: areDue ? 100 : 0 });
    }
  });

  it.each([
    [0, 1],
    [3, 8],
    [100, 300],
  ])('tries a row that failed %i times before again after %i seconds', async (tries, seconds) => {
    const [id] = await leave(await queue());
    await app.db.pool.query('update waybill_outbox set tries = $1', [tries]);
    const outbox = new OutboxTable(app.db.pool);
    const before = await now();
    await outbox.postpone([id!]);
    const after = await now();
    const {
      rows: [row],
    } = await app.db.pool.query<{ retry_at: string }>('select retry_at from waybill_outbox');
    const since = Date.parse(row!.retry_at) - seconds * 1_000;
    expect(since).toBeGreaterThanOrEqual(before);
    expect(since).toBeLessThanOrEqual(after);
    await due();
    expect((await outbox.oldest(10)).rows).toHaveLength(1);
  });

  it('refuses a row that failed for a day, and keeps it with the reason, until somebody tries it anew', async () => {
    const [id] = await leave(await queue());
    const outbox = new OutboxTable(app.db.pool);
    await app.db.pool.query('update waybill_outbox set tries = 298');
    expect(await outbox.postpone([id!])).toEqual([]);
    expect(await outbox.postpone([id!])).toEqual([id]);
    expect(await rows()).toEqual([{ id, refusal: { code: 'CONTENTION', tries: 300 } }]);
    await due();
    expect(await relay().relay()).toMatchObject({ found: 0 });
    await app.db.pool.query('update waybill_outbox set refusal = null, tries = 0');
    expect(await relay().relay()).toMatchObject({ found: 1, through: 1 });
  });

  it('keeps the rows while the system drains', async () => {
    const [id] = await leave(await queue());
    await app.commands.execute(new DrainSystem({ intake: 'closed', running: 'finish' }, BY));
    expect(await relay().relay()).toMatchObject({ found: 1, through: 0, more: false });
    expect(await rows()).toEqual([{ id, refusal: null }]);
    await app.commands.execute(new ResumeSystem(true, BY));
    expect(await relay().relay()).toMatchObject({ found: 1, through: 1, more: false });
  });

  it('reads a limited number of rows at a time, the oldest first', async () => {
    const ids = await leave(await queue(), ROWS_PER_ROUND + 1);
    expect(await relay().relay()).toMatchObject({ found: ROWS_PER_ROUND, through: ROWS_PER_ROUND, more: true });
    expect((await rows()).map(({ id }) => id)).toEqual([ids.at(-1)]);
  });

  it.each([
    ['queue_is_a_name', `queue => 'no name'`],
    ['key_has', `queue => 'q', key => ''`],
    ['due_at_is', `queue => 'q', due_at => 'infinity'`],
    ['labels_are', `queue => 'q', labels => '{"a": 1}'`],
    ['labels_are', `queue => 'q', labels => jsonb_build_object('a', repeat('x', 257))`],
    ['labels_are', `queue => 'q', labels => (select jsonb_object_agg('l' || n, '') from generate_series(1, 33) n)`],
    ['payload_has_no_number', `queue => 'q', payload => '{"a": [9007199254740993]}'`],
    ['payload_has_no_member', `queue => 'q', payload => '[{"__proto__": {}}]'`],
    ['payload_has_64_levels', `queue => 'q', payload => (repeat('[', 65) || repeat(']', 65))::jsonb`],
    ['actor_has', `queue => 'q', actor => ''`],
    ['ttl_ms_is', `queue => 'q', ttl_ms => 0`],
    ['ttl_ms_is', `queue => 'q', ttl_ms => 31622400001`],
    ['expires_at_or_ttl_ms', `queue => 'q', ttl_ms => 1, expires_at => now()`],
    ['deadline_at_is', `queue => 'q', deadline_at => '1969-12-31Z'`],
    ['steps_are', `queue => 'q', steps => '{}'`],
    ['steps_are', `queue => 'q', steps => '{a,NULL}'`],
    ['steps_are', `queue => 'q', steps => array['']`],
    ['steps_are', `queue => 'q', steps => array[repeat('x', 101)]`],
    ['steps_are', `queue => 'q', steps => array_fill('a'::text, array[101])`],
    ['audit_context_has', `queue => 'q', audit_context => ''`],
    ['data_is_an_object', `queue => 'q', data => '[]'`],
    ['data_has_no_number', `queue => 'q', data => '{"a": 9007199254740993}'`],
    ['data_has_no_member', `queue => 'q', data => '{"__proto__": {}}'`],
    ['data_has_64_levels', `queue => 'q', data => (repeat('{"a":', 65) || '1' || repeat('}', 65))::jsonb`],
  ])('refuses in the producer’s transaction what the API would refuse: %s', async (constraint, call) => {
    await expect(app.db.pool.query(`select waybill.enqueue(${call})`)).rejects.toThrow(`"waybill_outbox_${constraint}`);
  });

  it('accepts everything that the API just accepts', async () => {
    await app.db.pool
      .query(`select waybill.enqueue('q', (repeat('[', 64) || repeat(']', 64))::jsonb, key => repeat('ü', 512),
      labels => (select jsonb_object_agg('l' || n, repeat(E'\\n', 256)) from generate_series(1, 32) n))`);
    await app.db.pool.query(
      `select waybill.enqueue('q', ttl_ms => 31622400000, steps => array_fill(repeat('ü', 100), array[100]), audit_context => repeat('ü', 512),
        data => (repeat('{"a":', 64) || '1' || repeat('}', 64))::jsonb)`,
    );
    await app.db.pool.query(`select waybill.enqueue('q', '{"a": 9007199254740991, "b": -9007199254740991, "c": 0.5}')`);
    expect(await rows()).toHaveLength(3);
  });

  it("needs no right to any table, and ignores the caller's search path", async () => {
    const name = await queue();
    const role = `shop_${uuidv7().replaceAll('-', '')}`;
    await producer('rollback', async (client) => {
      await client.query(`create role ${role}; grant usage on schema waybill to ${role}; set local role ${role}`);
      await client.query('create temp table waybill_outbox (id uuid)');
      await client.query('reset role');
      // A function that a caller might try to slip in.
      await client.query(
        `create function public.gen_random_uuid() returns uuid language sql as $$ select '${NIL}'::uuid $$`,
      );
      await client.query(`set local search_path = public, pg_catalog; set local role ${role}`);
      await client.query('select waybill.enqueue($1)', [name]);
      await client.query('reset role');
      const left = await client.query<{ id: string }>('select id from public.waybill_outbox');
      expect(left.rows).toHaveLength(1);
      expect(left.rows[0]!.id).not.toBe(NIL);
    });
  });
});

describe('the relay', () => {
  it('is woken by a commit, and not by a rollback', async () => {
    const name = await queue();
    const wakeUps = new PostgresWakeUps(app.db.pool);
    await wakeUps.onApplicationBootstrap();
    let woken = 0;
    const once = new Promise<void>((resolve) => {
      wakeUps.onOutboxFilled(() => {
        woken += 1;
        resolve();
      });
    });
    await producer('rollback', (client) => client.query('select waybill.enqueue($1)', [name]));
    await leave(name, 10);
    await once;
    expect(woken).toBe(1);
    wakeUps.onApplicationShutdown();
  });

  it('runs in one process at a time, and another one takes over', async () => {
    const name = await queue();
    const [first, second] = [relay(), relay()];
    const after = await app.db.store.head();
    first.start();
    first.start();
    second.start();
    const ids = await leave(name, 2);
    app.db.wakeUps.outboxFilled();
    await app.next('TaskEnqueued', after, 2);
    await Promise.all([first.stop(), first.stop()]);
    const before = await app.db.store.head();
    ids.push(...(await leave(name)));
    app.db.wakeUps.outboxFilled();
    await app.next('TaskEnqueued', before);
    await second.stop();
    expect(await rows()).toEqual([]);
    for (const id of ids) expect(await eventsOf(id)).toHaveLength(1);
  });
});
