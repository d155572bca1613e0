import pg from 'pg';

const LOOK_SECONDS = 0.005;
const PATIENCE_SECONDS = 120;

const HEAD = `select coalesce((select position + n - 1 from segments order by position desc limit 1), 0) as head`;

/**
 * One statement that waits in the database. Queries from here would be counted, and would take processor time from the
 * followers.
 */
const untilAt = (head) => `
  do $$ begin
    while exists (select from projection_checkpoints where slot = 'live' and position < ${head}) loop
      if clock_timestamp() > now() + interval '${PATIENCE_SECONDS} s' then
        raise exception 'Expected all followers to reach position ${head} within ${PATIENCE_SECONDS} s, but some did not';
      end if;
      perform pg_sleep(${LOOK_SECONDS});
    end loop;
  end $$`;

/** Everything that follows Waybill's log in a database: read models and reactions. */
export class LogFollowers {
  #client;

  static async open(url) {
    const followers = new LogFollowers(url);
    await followers.#client.connect();
    return followers;
  }

  constructor(url) {
    this.#client = new pg.Client({ connectionString: url });
  }

  /** Resolves when the checkpoint of each follower has reached the event that is now the last one. */
  async caughtUp() {
    const { rows } = await this.#client.query(HEAD);
    await this.#client.query(untilAt(rows[0].head));
  }

  close() {
    return this.#client.end();
  }
}
