import { Clock } from '../application/kernel/clock.port.js';

/** The schema of the functions that stand before those of Postgres in the search path of a test database. */
const SCHEMA = 'waybill_clock';

/**
 * Every function and statement of Waybill asks `now()` or `clock_timestamp()` without naming a schema, so these answer instead of Postgres's own.
 * Run it in an empty database before the migrations, because a default of a column is bound to the function that is found then.
 */
export const STAND_STILL = `
  create schema ${SCHEMA};
  create unlogged table ${SCHEMA}.stands (still timestamptz not null);
  insert into ${SCHEMA}.stands values (date_trunc('milliseconds', pg_catalog.now()));
  create function ${SCHEMA}.now() returns timestamptz language sql stable as 'select still from ${SCHEMA}.stands';
  create function ${SCHEMA}.clock_timestamp() returns timestamptz language sql volatile as 'select still from ${SCHEMA}.stands'`;

/** Tables are found and made in the first schema, and the clock's functions before those of Postgres. */
export const SEARCH_PATH = `public, ${SCHEMA}, pg_catalog`;

interface Asked {
  query(text: string, values: unknown[]): Promise<unknown>;
}

const SET = `update ${SCHEMA}.stands set still = $1`;

/** The clock of a test: it stands still until it is moved, for the service and for its database. */
export class TestClock extends Clock {
  private constructor(private time: Date) {
    super();
  }

  /** `time` in whole milliseconds. */
  static at(time: Date): TestClock {
    return new TestClock(time);
  }

  now(): Date {
    return new Date(this.time);
  }

  /** The database first: no event may be recorded later than what the database takes for now. */
  async set(time: Date, database: Asked): Promise<void> {
    await database.query(SET, [time.toISOString()]);
    this.time = time;
  }
}
