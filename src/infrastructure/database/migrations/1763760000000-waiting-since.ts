import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Since when a task waits, where that is not since it was enqueued. */
export class WaitingSince1763760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table ready add column returned boolean not null default true;
      update ready set returned = since is not null;
      drop index ready_returned;
      create index ready_returned on ready (queue) where returned;
      alter table ready drop column since;
      alter table tasks drop column waiting_since`);
  }
}

const COLUMNS = `
-- Of a pending task that was in another state before: since when it waits. Null for one that waits since it was enqueued.
alter table tasks add column waiting_since timestamptz;

-- Null for a new task, whose place is behind all others of its priority: it waits since it was enqueued. A row that came back, or
-- became due, says since when a worker could have taken it, and may stand before the floor at which a claim begins.
alter table ready add column since timestamptz;
update ready r set since = greatest(t.enqueued_at, t.due_at) from tasks t where r.returned and t.task_id = r.task_id;
drop index ready_returned;
create index ready_returned on ready (queue, since) where since is not null;
alter table ready drop column returned;
`;
