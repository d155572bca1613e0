import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { claim, defineQueue, enqueue, failed, item } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/how-to/read-events-with-sql.md'), 'utf8');
const EXAMPLES = [...GUIDE.matchAll(/^## (.+?)\n.*?```sql\n(.+?)```/gms)].map(
  ([, title, sql]) => [title!, sql!] as const,
);

describe('the examples of docs/how-to/read-events-with-sql.md', () => {
  const task = enqueue('mail', {}, {}, '0190abcd-ef01-7234-8567-89abcdef0123');
  let db: PostgresFixture;
  beforeAll(async () => {
    db = await openPostgresStore();
    await db.store.append([defineQueue('mail')]);
    const byAnn = { actor: 'ann', correlationId: 'c', reason: 'urgent' };
    await db.store.append([{ ...task, events: task.events.map((event) => ({ ...event, envelope: byAnn })) }]);
    const { item: claimed, token, secret } = claim(task, { claimId: uuidv7() });
    await db.store.append([claimed]);
    await db.store.append([item(task.stream, 1, failed('mail', token), { lease: { token, secret } })]);
  });
  afterAll(() => db.close());

  const answers: Readonly<Record<string, readonly object[]>> = {
    'The history of a task': ['TaskEnqueued', 'TaskClaimed', 'TaskAttemptFailed', 'TaskFailed'].map((type) => ({
      type,
    })),
    'What one person did last week': [{ type: 'TaskEnqueued', task: taskIdOf(task.stream), reason: 'urgent' }],
    'How often the tasks of a queue failed, by day and class': [{ class: 'business', count: '1' }],
  };

  it('are those with known answers', () => {
    expect(EXAMPLES.map(([title]) => title)).toEqual(Object.keys(answers));
  });

  it.each(EXAMPLES)('returns the known answer: %s', async (title, sql) => {
    expect((await db.pool.query(sql)).rows).toMatchObject(answers[title] as object[]);
  });
});
