import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILD } from '../../src/bootstrap/functions.js';
import { TASK_ROW } from '../../src/infrastructure/dispatch-index/insert-task-rows.js';
import type { Waybill } from '@waybill/client';
import { HttpTransport } from '../../packages/client/src/http-transport.js';
import type { OperationId } from '@waybill/contracts';
import { createWaybill } from '../../packages/client/src/waybill.js';
import type { EventStore, RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { EventStoreDbLeaves } from '../../src/infrastructure/eventstoredb/log/eventstoredb-leaves.js';
import { EventStoreDbLog } from '../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { halvesBy } from '../../src/infrastructure/eventstoredb/log/halves/encrypted-halves.js';
import { MasterKeys } from '../../src/infrastructure/eventstoredb/log/halves/master-keys.js';
import type { LogLeaves } from '../../src/infrastructure/notary/log-leaves.port.js';
import { PostgresLeaves } from '../../src/infrastructure/notary/postgres-leaves.js';
import { PostgresEventStore } from '../../src/infrastructure/postgres-event-store/postgres-event-store.js';
import { LocalWakeUps } from '../../src/infrastructure/notify/local-wake-ups.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { inTransaction } from '../../src/infrastructure/database/transaction.js';
import { FOLLOWED } from '../../src/projections/read-models.js';
import { ProcessClock } from '../support/eventstoredb/open-log.js';
import type { History, Row, SealedHistory } from '../support/history-checker.js';
import { type ReceivedCall, startWebhookSink, type WebhookSink } from '../support/sinks/webhook-sink.js';
import { subjectKeyFile } from '../support/subject-keys.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';
import { type Child, killAll } from './child.js';
import { impatient } from './load.js';
import {
  afterLoss,
  type Exchange,
  exchangesIn,
  type Loss,
  Memory,
  operationsOf,
  RecordingTransport,
} from './recording.js';
import { freePort } from './ports.js';
import { type ServiceOptions, ServiceProcess } from './service-process.js';

const FINAL = ['succeeded', 'failed', 'cancelled', 'aborted', 'superseded', 'deleted'];

/** Lets services call the receiver of a run. */
const WEBHOOKS = {
  WAYBILL_WEBHOOK_SECRETS: JSON.stringify({ run: `whsec_${Buffer.alloc(32, 'run').toString('base64')}` }),
  WAYBILL_WEBHOOK_HTTP: 'true',
  WAYBILL_WEBHOOK_NETWORKS: '127.0.0.1',
};

/** Leaves out columns that belong to a claim and are not in the log. */
const rowsOf = (table: string): string => `select ${[...TASK_ROW.columns.keys()].join(', ')} from ${table}`;

/** A database and a port for services that come and go, and the record of everything that clients did with them. */
export class Run {
  private readonly memory = new Memory();
  private readonly children: Child[] = [];
  private readonly losses: Loss[] = [];
  private receiver: WebhookSink | null = null;
  private notaryDir: string | null = null;

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: PostgresPool,
    readonly store: Pick<EventStore, 'readAll' | 'scan' | 'head'>,
    private readonly elsewhere: Elsewhere | null,
    readonly port: number,
  ) {}

  /** Opens a run on its own database if none is given. With EVENT_STORE_URL the events are in that store, with keys if one is to erase them. */
  static async open(given?: TestDatabase, erases = false): Promise<Run> {
    const database = given ?? (await createTestDatabase());
    const pool = new PostgresPool({ url: database.url, size: 4, functions: BUILD.schema });
    const elsewhere = eventsElsewhere(database, pool, erases);
    const store = elsewhere?.log ?? new PostgresEventStore(pool, new LocalWakeUps());
    return new Run(database, pool, store, elsewhere, await freePort());
  }

  get databaseUrl(): string {
    return this.database.url;
  }

  /** Where its events are, unless in its database. */
  get storeEnv(): NodeJS.ProcessEnv {
    return this.elsewhere?.env ?? {};
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** A client whose every request becomes part of the history. It calls another service if an address is given, and does not outlive the signal. */
  client(url = this.url, end?: AbortSignal): Waybill {
    const transport = new RecordingTransport(new HttpTransport({ url }), this.memory, end);
    return createWaybill({ transport, clock: impatient });
  }

  service({ env, ...options }: Partial<ServiceOptions> = {}): ServiceProcess {
    const { database, port, elsewhere } = this;
    const all = { ...elsewhere?.env, ...WEBHOOKS, ...env };
    return new ServiceProcess({ databaseUrl: database.url, port, ...options, env: all });
  }

  /** The environment of a service that seals the log. */
  async sealing(): Promise<Readonly<Record<string, string>>> {
    return { WAYBILL_NOTARY_DIR: (this.notaryDir ??= await mkdtemp(join(tmpdir(), 'waybill-run-'))) };
  }

  /** Starts two services of the product, on one database. Returns a client of each. */
  async twoServices(): Promise<readonly Waybill[]> {
    const clients: Waybill[] = [];
    for (const port of [this.port, await freePort()]) {
      const { url } = await this.service({ module: 'src/main.ts', port }).ready();
      clients.push(this.client(url));
    }
    return clients;
  }

  /** Receives webhooks, with the secret `run`. Its calls become part of the history. */
  async webhooks(): Promise<WebhookSink> {
    return (this.receiver ??= await startWebhookSink());
  }

  /** Adds the requests of this process to the history. */
  include(child: Child): void {
    this.children.push(child);
  }

  /** The database is again as it was at a moment, and nobody has asked it for anything since. */
  restored(asOf: Date): void {
    this.losses.push({ from: asOf.getTime(), to: Date.now() });
  }

  /** Resolves when the clients of this process got this many more answers. */
  async answered(operation: OperationId, more: number): Promise<void> {
    const count = (): number =>
      this.memory.exchanges.filter((one) => one.operation === operation && one.answer?.status === 200).length;
    const enough = count() + more;
    await until(`${more} answers to '${operation}'`, async () => (count() >= enough ? true : null));
  }

  /** The statuses of all answers that this process got. */
  statuses(): number[] {
    return this.memory.exchanges.flatMap(({ answer }) => (answer ? [answer.status] : []));
  }

  /** Resolves when every task has ended and every follower is at the head. */
  async settled(patienceMs?: number): Promise<void> {
    const isOver = async (): Promise<true | null> => ((await this.openTasks()) === 0 ? this.areAtHead() : null);
    await until('every task to be finished, and the followers at the head', isOver, patienceMs);
  }

  /** Resolves when every follower is at the head of the log. */
  async caughtUp(patienceMs?: number): Promise<void> {
    await until('the followers to reach the head', () => this.areAtHead(), patienceMs);
  }

  /** Resolves when no trigger is due. */
  async triggersFired(patienceMs?: number): Promise<void> {
    const due = 'select 1 from triggers where next_at <= clock_timestamp() limit 1';
    const isOver = async (): Promise<true | null> => ((await this.pool.query(due)).rows.length === 0 ? true : null);
    await until('every trigger to have fired', isOver, patienceMs);
  }

  /** Call it when nothing changes any more. */
  async history(): Promise<History> {
    const { pool } = this;
    const { tasks, archived } = await this.listed();
    const sealed = await this.sealed();
    const models = await Promise.all(
      FOLLOWED.map(async ({ name, tables }) => {
        const { rows } = await pool.query<Row>(`select * from ${tables[0]!.name}`);
        return [name, rows.map(withCounts)] as const;
      }),
    );
    return {
      operations: this.exchanges().flatMap(operationsOf),
      events: await this.log(),
      tasks,
      archived,
      models: Object.fromEntries(models),
      checkpoints: await this.checkpoints(),
      claimsTakeTurns: this.elsewhere === null,
      ...(sealed && { sealed }),
      ...(this.receiver && { received: this.receiver.received.map(callOf) }),
    };
  }

  /** All events, in order. */
  async log(): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (;;) {
      const batch = await this.store.readAll(events.at(-1)?.position ?? 0n, 5_000);
      if (batch.length === 0) return events;
      events.push(...batch);
    }
  }

  /** Without what was lost. */
  private exchanges(): readonly Exchange[] {
    const all = [...this.memory.exchanges, ...this.children.flatMap(({ lines }) => exchangesIn(lines))];
    return this.losses.reduce((left, loss) => left.flatMap((one) => afterLoss(one, loss)), all);
  }

  /** The log that is sealed now, not one that was lost before it. */
  private async sealed(): Promise<SealedHistory | undefined> {
    const { rows } = await this.pool.query<{ size: string; root: Buffer }>(
      'select size, root from seals where log = (select max(log) from seals)',
    );
    if (rows.length === 0) return undefined;
    const leaves: LogLeaves = this.elsewhere?.leaves ?? new PostgresLeaves(this.pool);
    const seals = rows.map(({ size, root }) => ({ size: Number(size), root: root.toString('hex') }));
    const texts: string[] = [];
    for (let after = 0n; ;) {
      const page = await leaves.after(after, 1_000);
      if (page.length === 0) return { leaves: texts, seals };
      texts.push(...page.map(({ text }) => text));
      after = page.at(-1)!.position;
    }
  }

  /** In one snapshot, because ended tasks go on moving into the archive. */
  private listed(): Promise<Record<'tasks' | 'archived', Row[]>> {
    return inTransaction(this.pool, async (connection) => {
      await connection.query('set transaction isolation level repeatable read');
      const tasks = (await connection.query(rowsOf('tasks'))).rows.map(withPlaces);
      return { tasks, archived: (await connection.query(rowsOf('tasks_archive'))).rows.map(withPlaces) };
    });
  }

  async close(): Promise<void> {
    await killAll();
    await this.receiver?.stop();
    await this.elsewhere?.log.close();
    await this.pool.end();
    await this.database.drop();
    if (this.notaryDir !== null) await rm(this.notaryDir, { recursive: true });
  }

  /** The number of tasks that have not ended. */
  async openTasks(): Promise<number> {
    const { rows } = await this.pool.query<{ open: string }>(
      'select count(*) as open from tasks where not state = any ($1)',
      [FINAL],
    );
    return Number(rows[0]!.open);
  }

  /** Reads the head last: a reaction that is at the head has nothing left to append. */
  private async areAtHead(): Promise<true | null> {
    const checkpoints = await this.checkpoints();
    const head = await this.store.head();
    return checkpoints.length > FOLLOWED.length && checkpoints.every(({ position }) => position === head) ? true : null;
  }

  private async checkpoints(): Promise<{ name: string; position: bigint }[]> {
    const { rows } = await this.pool.query<{ name: string; position: string }>(
      `select name, position from projection_checkpoints where slot = 'live' order by name`,
    );
    return rows.map(({ name, position }) => ({ name, position: BigInt(position) }));
  }
}

interface Elsewhere {
  readonly log: EventStoreDbLog;
  readonly leaves: LogLeaves;
  /** The environment of the services. */
  readonly env: Readonly<Record<string, string>>;
}

/** Uses stream names of the database's own. */
function eventsElsewhere(database: TestDatabase, pool: PostgresPool, erases: boolean): Elsewhere | null {
  const url = process.env.EVENT_STORE_URL;
  if (!url) return null;
  const prefix = `${new URL(database.url).pathname.slice(1)}.`;
  const file = erases ? subjectKeyFile() : null;
  const halves = halvesBy(pool, file === null ? null : MasterKeys.in(readFileSync(file, 'utf8')));
  const log = new EventStoreDbLog({ url, prefix, halves, clock: new ProcessClock() });
  const keys: Readonly<Record<string, string>> = file === null ? {} : { WAYBILL_SUBJECT_KEY_FILE: file };
  const leaves = new EventStoreDbLeaves(log, halves);
  return { log, leaves, env: { EVENT_STORE_URL: url, EVENT_STORE_PREFIX: prefix, ...keys } };
}

const callOf = ({ headers, body }: ReceivedCall): { id: string; body: string } => ({
  id: String(headers['webhook-id']),
  body,
});

const big = (value: unknown): bigint => BigInt(value as string);

const withPlaces = ({ position, seq, place, ...row }: Row): Row => ({
  ...row,
  position: big(position),
  seq: big(seq),
  place: place === null ? null : big(place),
});

const isCount = (value: unknown): boolean => typeof value === 'string' && /^-?\d+$/.test(value);

/** Counts arrive as text, because they may outgrow a number. Here they do not. */
const withCounts = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isCount(value) ? Number(value) : value]));
