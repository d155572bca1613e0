import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the rows of the ready lane that came in at its end from those that came back into it. */
export class SeekFloor1763735000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table ready drop column returned');
  }
}

const COLUMN = `
-- False for a new task, whose place is behind all others of its priority. A claim that begins at its floor may miss a row that is
-- true, and so begins at the front while there is one.
alter table ready add column returned boolean not null default true;
create index ready_returned on ready (queue) where returned;
`;
