import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is taken before an event is appended to a store that this database cannot commit together with. */
export class Reservations1763740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before reservations, but appends may be under way: restore a backup instead');
  }
}

const TABLES = `
-- One append under way per stream. It ends when its event is applied, or when it is certain that it never comes.
create table reservations (
  stream uuid primary key,
  name text not null,
  -- Of the append's first event.
  id uuid not null unique,
  expected int not null,
  -- What the append is decided by, or changes: a queue. Null where it is about its stream only.
  scope text,
  changes_scope boolean not null,
  -- The key whose waiting place, the reference and the idempotency key (with its answer) that it takes.
  key text,
  reference text,
  idempotency jsonb,
  deadline timestamptz not null
);
create index reservations_scope on reservations (scope);
create index reservations_scope_changes on reservations (scope) where changes_scope;
create index reservations_key on reservations (scope, key) where key is not null;
create index reservations_reference on reservations (scope, reference) where reference is not null;
create index reservations_deadline on reservations (deadline);
create index reservations_idempotency on reservations ((idempotency->>'key')) where idempotency is not null;

alter table leases
  -- The claim whose event is not applied yet, and the expiry under way, which no extension may overtake.
  add column reservation uuid,
  add column expiring uuid;
create index leases_reservation on leases (reservation) where reservation is not null;
create index leases_expiring on leases (expiring) where expiring is not null;

-- Which event store the checkpoints and the rows of this database belong to.
create table event_store (id text primary key, named_at timestamptz not null default now());
`;
