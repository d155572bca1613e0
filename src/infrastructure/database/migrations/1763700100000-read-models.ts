import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checkpoints of followers, and the tables of the read models that follow the log. */
export class ReadModels1763700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table projection_checkpoints, queue_stats, worker_roster');
  }
}

const TABLES = `
-- One row per follower ('live'), and one beside it while its tables are built anew ('shadow').
create table projection_checkpoints (
  name text not null,
  slot text not null,
  version int not null,
  position bigint not null,
  -- 'stopped' at a poison event: the position is the one before it.
  status text not null,
  stopped_at bigint,
  error text,
  updated_at timestamptz not null default now(),
  primary key (name, slot)
) with (fillfactor = 50);

-- One row per queue, rewritten with every batch: room on the page keeps the updates off the index.
create table queue_stats (
  queue text primary key,
  prepared bigint not null,
  pending bigint not null,
  held bigint not null,
  running bigint not null,
  undecided bigint not null,
  failed bigint not null,
  succeeded bigint not null,
  cancelled bigint not null,
  aborted bigint not null,
  superseded bigint not null,
  deleted bigint not null,
  failures_business bigint not null,
  failures_application bigint not null,
  failures_transient bigint not null,
  failures_bug bigint not null,
  waited_count bigint not null,
  waited_total_ms bigint not null,
  waited_max_ms bigint not null,
  ran_count bigint not null,
  ran_total_ms bigint not null,
  ran_max_ms bigint not null,
  position bigint not null
) with (fillfactor = 50);

create table worker_roster (
  worker text not null,
  queue text not null,
  server text,
  first_seen timestamptz,
  last_seen timestamptz,
  claimed bigint not null,
  running bigint not null,
  succeeded bigint not null,
  failed bigint not null,
  lost bigint not null,
  returned bigint not null,
  position bigint not null,
  primary key (worker, queue)
) with (fillfactor = 50);
`;
