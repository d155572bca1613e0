import { Logger } from '@nestjs/common';
import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import type { LeftOut } from '../../domain/trigger/trigger.events.js';
import type { PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { inTransaction } from '../database/transaction.js';
import { type Checkpoint, lockCheckpoint, moveCheckpoint } from '../projection-engine/checkpoint.js';

/** An event that a follower could not deal with, or that waits for such a one of its line. */
export interface OwedEvent {
  /** Within a line the order is kept. */
  readonly line: string;
  readonly position: bigint;
  readonly recordedAt: string;
  /** Whether it matches a trigger; false if that cannot be known, absent if no task is to be made of it. */
  readonly matched?: boolean;
  /** The log did not deliver it, so later ones may have been dealt with before. */
  readonly late?: true;
  /** Absent if it waits only. */
  readonly error?: unknown;
}

/** A line of which the events before the position are owed no more. */
export interface Over {
  readonly line: string;
  readonly before: bigint;
}

/** The first events of a line, in the order of the log. */
export interface DueLine {
  readonly line: string;
  readonly positions: readonly bigint[];
  /** Those that a trigger waits for. */
  readonly matched: ReadonlySet<bigint>;
  /** Those that the log did not deliver. */
  readonly late: ReadonlySet<bigint>;
}

/** The oldest events of a line that is too long. */
export interface Excess extends LeftOut {
  readonly line: string;
  /** Of the last of them. */
  readonly position: bigint;
}

/** How many lines are tried at a time, and how many events of each. */
const LINES_AT_ONCE = 100;
const EVENTS_AT_ONCE = 100;
/** Of a trigger, and of a reaction. */
export const MOST_PUT_ASIDE = 10_000;
const MOST_TEXT = 1_000;

/** The pause doubles with each further failure, up to five minutes. */
const PAUSE = (tries: string) => `least(300, power(2, least(${tries}, 10))) * interval '1 second'`;

const ADD = `
  insert into events_put_aside (follower, line, position, at, matched, late, error, retry_at, tries)
  select $1, a.line, a.position, a.at, a.matched, a.late, case when a.is_first then a.error end, case when a.is_first then now() + ${PAUSE('0')} end,
    a.is_first::int
  from (select o.*, o.position = min(o.position) over (partition by o.line)
      and not exists (select from events_put_aside e where e.follower = $1 and e.line = o.line) as is_first
    from unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::boolean[], $6::boolean[], $7::text[])
      as o(line, position, at, matched, late, error)) a
  on conflict do nothing`;

/** A trigger that has changed is tried once the follower has passed the change. */
const DUE = `
  select d.line, e.positions, e.matched, e.late from (
    select line, retry_at from events_put_aside p where follower = $1 and retry_at <= now() and not exists (
        select from triggers t join projection_checkpoints c on c.name = $1 and c.slot = 'live' where t.name = p.line and t.position > c.position)
      order by retry_at limit ${LINES_AT_ONCE}) d
  cross join lateral (select array_agg(f.position order by f.position) as positions,
      coalesce(array_agg(f.position) filter (where f.matched), '{}') as matched,
      coalesce(array_agg(f.position) filter (where f.late), '{}') as late from (
    select position, matched, late from events_put_aside where follower = $1 and line = d.line order by position limit ${EVENTS_AT_ONCE}) f) e
  order by d.retry_at`;

/** What an idle follower asks every second. */
const LOOK = `
  select exists (select from events_skipped where follower = $1) as skipped,
    exists (select from events_put_aside where follower = $1 and retry_at <= now()) as due`;

const SKIPPED = `
  select s.position from events_skipped s join projection_checkpoints c on c.name = s.follower and c.slot = 'live'
  where s.follower = $1 and s.position <= c.position order by s.position limit ${EVENTS_AT_ONCE}`;

const LOOKED_AT = 'delete from events_skipped where follower = $1 and position = any ($2)';

const DONE = 'delete from events_put_aside where follower = $1 and line = $2 and position = any ($3)';

const OVER = 'delete from events_put_aside where follower = $1 and line = $2 and position < $3';

const LONG_LINES = `
  select d.* from unnest($2::text[]) as o(line) cross join lateral (
    select o.line, count(a.matched)::int as count, min(a.at) as "from", max(a.at) as "to", max(a.position) as position from (
      select * from events_put_aside where follower = $1 and line = o.line order by position desc offset $3) a) d where d.position is not null`;

const SIZE = 'select count(*)::int as size from (select from events_put_aside where follower = $1 limit $2) a';

/** The first ones of the lines are tried at once, whatever waited in them. */
const GO_ON_NOW = `
  update events_put_aside a set retry_at = now() from (
    select line, min(position) as first from events_put_aside where follower = $1 and line = any ($2) group by line) l
  where a.follower = $1 and a.line = l.line and a.position = l.first`;

/** The first one left is tried at once. */
const GO_ON = `
  update events_put_aside set retry_at = now() where follower = $1 and line = $2 and retry_at is null
    and position = (select min(position) from events_put_aside where follower = $1 and line = $2)`;

const POSTPONE = `
  update events_put_aside set error = $4, tries = tries + 1, tried_at = now(), retry_at = now() + ${PAUSE('tries')}
  where follower = $1 and line = $2 and position = $3`;

/**
 * The events that a follower could not deal with, so that it goes on with later ones. They are tried again. Who adds or
 * removes events holds the lock of the checkpoint, so none is added behind one that is removed meanwhile.
 */
export class EventsPutAside {
  private readonly logger: Logger;

  constructor(
    private readonly pool: PostgresPool,
    private readonly follower: string,
  ) {
    this.logger = new Logger(`Follower ${follower}`);
  }

  /** The lines in which something waits. */
  async lines(): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ line: string }>({
      name: 'waybill_lines_put_aside',
      text: 'select line from events_put_aside where follower = $1 and retry_at is not null',
      values: [this.follower],
    });
    return new Set(rows.map(({ line }) => line));
  }

  /**
   * Moves the checkpoint past these events, and puts aside what is owed of them. Of the lines that are `over`, the events before
   * that position are removed.
   */
  async pass(
    segments: readonly LogSegment[],
    owed: readonly OwedEvent[],
    from: Checkpoint,
    over: readonly Over[] = [],
  ): Promise<Checkpoint> {
    const [position, events] = [segments.at(-1)!.position, sizeOf(segments)];
    if (owed.length + over.length === 0) return moveCheckpoint(this.pool, from, position, events);
    const moved = await inTransaction(this.pool, async (connection) => {
      const checkpoint = await moveCheckpoint(connection, from, position, events);
      if (owed.length > 0) await connection.query(ADD, [this.follower, ...columnsOf(owed)]);
      for (const { line, before } of over) await this.end(connection, line, before);
      return checkpoint;
    });
    for (const { line, position: at, error } of owed) if (error !== undefined) this.tell(line, at, error);
    return moved;
  }

  /** Puts aside what is owed of the next events that the log did not deliver, once the follower has passed them. */
  private async admit(owedOf: (position: bigint) => Promise<readonly OwedEvent[]>): Promise<void> {
    const { rows } = await this.pool.query<{ position: string }>({
      name: 'waybill_events_skipped',
      text: SKIPPED,
      values: [this.follower],
    });
    if (rows.length === 0) return;
    const positions = rows.map(({ position }) => BigInt(position));
    const owed: OwedEvent[] = [];
    for (const position of positions) owed.push(...(await owedOf(position)));
    await inTransaction(this.pool, async (connection) => {
      await lockCheckpoint(connection, this.follower);
      if (owed.length > 0) await connection.query(ADD, [this.follower, ...columnsOf(owed)]);
      await connection.query(GO_ON_NOW, [this.follower, owed.map(({ line }) => line)]);
      await connection.query(LOOKED_AT, [this.follower, positions]);
    });
  }

  /** Throws if there are as many events as a reaction may put aside. It must wait then: the log keeps the rest. */
  async assertRoom(): Promise<void> {
    const { rows } = await this.pool.query<{ size: number }>(SIZE, [this.follower, MOST_PUT_ASIDE]);
    if (rows[0]!.size >= MOST_PUT_ASIDE)
      throw new Error(
        `it has put ${MOST_PUT_ASIDE} events aside that it could not deal with, and waits until some are dealt with`,
      );
  }

  /** What is too much in these lines. */
  async excess(lines: ReadonlySet<string>): Promise<readonly Excess[]> {
    const { rows } = await this.pool.query<{ line: string; count: number; from: Date; to: Date; position: string }>(
      LONG_LINES,
      [this.follower, [...lines], MOST_PUT_ASIDE],
    );
    return rows.map(({ from, to, position, ...rest }) => ({
      ...rest,
      position: BigInt(position),
      from: isoTime(from),
      to: isoTime(to),
    }));
  }

  /** Removes the events of a line up to this position. */
  async drop(line: string, upTo: bigint): Promise<void> {
    await inTransaction(this.pool, async (connection) => {
      await lockCheckpoint(connection, this.follower);
      await this.end(connection, line, upTo + 1n);
    });
  }

  private async end(connection: PostgresConnection, line: string, before: bigint): Promise<void> {
    const { rowCount } = await connection.query(OVER, [this.follower, line, before]);
    if (rowCount === 0) return;
    await connection.query(GO_ON, [this.follower, line]);
    this.logger.warn(`Dropped ${rowCount} events that were put aside for '${line}': those before position ${before}`);
  }

  /**
   * The lines that are to be tried again, the longest overdue first, with what is owed of events that the log did not deliver.
   */
  async due(owedOf: (position: bigint) => Promise<readonly OwedEvent[]>): Promise<readonly DueLine[]> {
    const { rows } = await this.pool.query<{ skipped: boolean; due: boolean }>({
      name: 'waybill_look_for_events_put_aside',
      text: LOOK,
      values: [this.follower],
    });
    const { skipped, due } = rows[0]!;
    if (skipped) await this.admit(owedOf);
    return skipped || due ? this.dueLines() : [];
  }

  private async dueLines(): Promise<readonly DueLine[]> {
    const { rows } = await this.pool.query<{ line: string; positions: string[]; matched: string[]; late: string[] }>({
      name: 'waybill_events_put_aside_due',
      text: DUE,
      values: [this.follower],
    });
    return rows.map(({ line, positions, matched, late }) => ({
      line,
      positions: positions.map(BigInt),
      matched: new Set(matched.map(BigInt)),
      late: new Set(late.map(BigInt)),
    }));
  }

  /** The first events of the line are dealt with; the next one, if there is an error, is not. */
  async tried({ line, positions }: DueLine, done: number, error?: unknown): Promise<void> {
    await inTransaction(this.pool, async (connection) => {
      await lockCheckpoint(connection, this.follower);
      await this.settle(connection, line, positions.slice(0, done));
      if (done < positions.length)
        await connection.query(POSTPONE, [this.follower, line, positions[done], textOf(error)]);
    });
    if (done < positions.length) this.tell(line, positions[done]!, error);
  }

  private async settle(connection: PostgresConnection, line: string, done: readonly bigint[]): Promise<void> {
    if (done.length === 0) return;
    await connection.query(DONE, [this.follower, line, done]);
    await connection.query(GO_ON, [this.follower, line]);
  }

  private tell(line: string, position: bigint, error: unknown): void {
    const of = line === String(position) ? '' : ` for '${line}'`;
    this.logger.error(
      `Expected '${this.follower}' to deal with the event at position ${position}${of}, but ${textOf(error)}. ` +
        'The event is put aside and tried again; others go on',
    );
  }
}

const isoTime = (given: Date | string): string => new Date(given).toISOString();

/** The reason of what is put aside only because it is late. */
export const NOT_DELIVERED = 'the log did not deliver it';

/** Postgres stores no NUL. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MOST_TEXT).replaceAll('\0', '\uFFFD');

const columnsOf = (owed: readonly OwedEvent[]): unknown[] => [
  owed.map(({ line }) => line),
  owed.map(({ position }) => position),
  owed.map(({ recordedAt }) => recordedAt),
  owed.map(({ matched }) => matched ?? null),
  owed.map(({ late = false }) => late),
  owed.map(({ error }) => (error === undefined ? null : textOf(error))),
];
