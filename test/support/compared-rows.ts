import type { DomainEvent } from '../../src/domain/kernel/decider.js';
import { PostgresIndexRows } from '../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { ComparedRows } from '../../src/infrastructure/sweeper/compared-rows.js';
import { FailingItems } from '../../src/infrastructure/sweeper/failing-items.js';
import type { DispatchFixture } from './dispatch-fixture.js';
import { item } from './events.js';
import { until } from './until.js';

/** Looks at the rows of a fixture's index, and the comparison of them with the log. */
export class ComparedFixture {
  readonly rows: PostgresIndexRows;
  private readonly compared: ComparedRows;

  constructor(private readonly fixture: Pick<DispatchFixture, 'pool' | 'store' | 'wakeUps'>) {
    const { pool, store, wakeUps } = fixture;
    this.rows = new PostgresIndexRows(pool, store, wakeUps);
    this.compared = new ComparedRows(pool, this.rows, new FailingItems(pool));
  }

  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.fixture.pool.query<Row>(text, [...values])).rows;
  }

  /** Once the index has the whole log. */
  settled(): Promise<unknown> {
    const { store } = this.fixture;
    return until('the index', async () => (await store.isIndexed(await store.head())) || null);
  }

  async append(stream: string, expected: number, ...events: DomainEvent[]): Promise<void> {
    const [result] = await this.fixture.store.append([item(stream, expected, events)]);
    if (result!.kind !== 'appended')
      throw new Error(`Expected to append to '${stream}', but ${JSON.stringify(result)}`);
    await this.settled();
  }

  /** All passes, from the beginning to their ends. */
  async compare(): Promise<void> {
    await this.settled();
    for (const pass of this.compared.passes) while (await pass.next());
  }

  /** How many rows were mended, by table. */
  async mended(): Promise<Record<string, number>> {
    const found = await this.sql<{ what: string; mended: string }>('select what, mended from mended_rows');
    return Object.fromEntries(found.map(({ what, mended }) => [what, Number(mended)]));
  }

  async rowsOf(table: string): Promise<object[]> {
    await this.settled();
    return this.sql<object>(`select * from ${table} order by 1`);
  }
}
