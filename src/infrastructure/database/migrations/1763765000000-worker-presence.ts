import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who asks for tasks, be there any or not. */
export class WorkerPresence1763765000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table worker_presence');
  }
}

const TABLE = `
create table worker_presence (
  worker text not null,
  queue text not null,
  server text not null,
  first_seen_at timestamptz not null,
  -- When it last asked, a few seconds late.
  seen_at timestamptz not null,
  primary key (worker, queue)
) with (fillfactor = 50);
create index worker_presence_queue on worker_presence (queue);
`;
