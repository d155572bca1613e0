import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log, the queues' and tasks' rows, the dispatch index. */
export class EventLog1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before the event log, but events are never dropped: restore a backup instead');
  }
}

const TABLES = `
-- data and meta are JSON as text: byte for byte what was decided, and nothing to parse on the way in.
create table events (
  position bigint primary key,
  stream uuid not null,
  revision int not null,
  category text not null,
  type text not null,
  version smallint not null,
  id uuid not null,
  recorded_at timestamptz not null,
  data text not null,
  meta text not null
);
create unique index events_stream on events (stream, revision);

-- Streams whose id is not a UUID are stored under one derived from their name.
create table stream_names (stream uuid primary key, name text not null);

create table queues (
  name text primary key,
  revision int not null,
  position bigint not null,
  status text not null,
  description text not null,
  policy jsonb not null,
  policy_version int not null,
  intake_open boolean not null,
  intake_by text,
  intake_reason text,
  pause_by text,
  pause_reason text,
  pause_until timestamptz
);

-- Lean and often changed. No index names a column that a claim or a success changes, and pages keep room,
-- so that those updates stay on their page (HOT) and touch no index.
create table tasks (
  task_id uuid primary key,
  queue text not null,
  state text not null,
  kind text not null,
  key text,
  reference text,
  priority int not null,
  labels jsonb,
  description text,
  due_at timestamptz,
  enqueued_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  failed_at timestamptz,
  attempt int not null,
  worker text,
  last_step text,
  error text,
  error_class text,
  seq bigint not null,
  position bigint not null,
  revision int not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create index tasks_queue on tasks (queue, task_id);
create index tasks_failed on tasks (queue, failed_at, task_id) where failed_at is not null;
create index tasks_key on tasks (queue, key) where key is not null;
create index tasks_reference on tasks (queue, reference) where reference is not null;
create index tasks_labels on tasks using gin (labels) where labels is not null;

-- The dispatch index: narrow, no payload.
create table ready (
  queue text not null,
  priority int not null,
  seq bigint not null,
  task_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create unique index ready_order on ready (queue, priority desc, seq);

-- Every open task that is neither ready nor leased, and what it waits for.
create table waiting (
  task_id uuid primary key,
  queue text not null,
  gate text not null,
  due_at timestamptz,
  key text,
  priority int not null,
  seq bigint not null
);
create index waiting_queue on waiting (queue);
create index waiting_due on waiting (queue, due_at) where gate = 'due';
create index waiting_next_due on waiting (due_at) where gate = 'due';
create index waiting_key on waiting (queue, key, priority desc, seq) where gate = 'key';

create sequence lease_tokens;
create table leases (
  token bigint primary key,
  task_id uuid not null,
  queue text not null,
  worker text not null,
  server text not null,
  secret uuid,
  claim_id uuid not null,
  lease_ms int not null,
  deadline timestamptz not null,
  cancel_requested boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index leases_deadline on leases (deadline);

create table claims (
  claim_id uuid primary key,
  queue text not null,
  worker text not null,
  first_token bigint not null,
  last_token bigint not null,
  created_at timestamptz not null default now()
);
create index claims_created on claims (created_at);

create table key_slots (
  queue text not null,
  key text not null,
  running uuid,
  ready uuid,
  waiting uuid,
  primary key (queue, key)
);
create table key_failures (
  queue text not null,
  key text not null,
  task_id uuid not null,
  primary key (queue, key, task_id)
);

create table idempotency_keys (
  key text primary key,
  fingerprint text not null,
  stream text not null,
  revision int not null,
  position bigint not null,
  created_at timestamptz not null default now()
);
create index idempotency_keys_created on idempotency_keys (created_at);
`;
