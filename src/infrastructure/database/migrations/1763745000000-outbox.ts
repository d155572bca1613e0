import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where producers in the same Postgres leave tasks, in transactions of their own. */
export class Outbox1763745000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before the outbox, but tasks may be in it: restore a backup instead');
  }
}

const TABLES = `
-- The constraints say what the API says of a submission: a producer is told at once, and the relay meets nothing it cannot read.
-- A repetition in a regular expression of Postgres ends at 255.
create table waybill_outbox (
  id uuid primary key,
  seq bigint generated always as identity,
  queue text not null constraint waybill_outbox_queue_is_a_name check (queue ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  kind text constraint waybill_outbox_kind_has_1_to_200_characters check (char_length(kind) between 1 and 200),
  key text constraint waybill_outbox_key_has_1_to_512_characters check (char_length(key) between 1 and 512),
  reference text constraint waybill_outbox_reference_has_1_to_512_characters check (char_length(reference) between 1 and 512),
  priority int,
  due_at timestamptz constraint waybill_outbox_due_at_is_from_1970_to_9999
    check (due_at >= '1970-01-01Z' and due_at < '10000-01-01Z'),
  labels jsonb constraint waybill_outbox_labels_are_up_to_32_short_texts check (
    jsonb_typeof(labels) = 'object' and jsonb_array_length(jsonb_path_query_array(labels, 'strict $.keyvalue()')) <= 32
    and not jsonb_path_exists(labels, 'strict $.keyvalue() ? (!(@.key like_regex "^.{1,64}$" flag "s"))')
    and not jsonb_path_exists(labels, 'strict $.* ? (@.type() != "string" || !(@ like_regex "^.{0,255}.?$" flag "s"))')),
  description text constraint waybill_outbox_description_has_1_to_4096_characters check (char_length(description) between 1 and 4096),
  payload jsonb
    constraint waybill_outbox_payload_has_no_number_that_is_rounded
      check (not jsonb_path_exists(payload, 'strict $.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))'))
    constraint waybill_outbox_payload_has_no_member_that_reaches_a_prototype
      check (not jsonb_path_exists(payload, 'strict $.** ? (@.type() == "object").keyvalue()
        ? (@.key == "__proto__" || @.key == "constructor" || @.key == "prototype")'))
    constraint waybill_outbox_payload_has_64_levels_at_most
      check (not jsonb_path_exists(payload, 'strict $.**{64} ? (@.type() == "object" || @.type() == "array")')),
  actor text not null constraint waybill_outbox_actor_has_1_to_200_characters check (actor ~ '^[^[:cntrl:]]{1,200}$'),
  created_at timestamptz not null default now(),
  -- Why the task was not taken in. The row stays, and is tried again when this is null again.
  refusal jsonb,
  refused_at timestamptz
);
create index waybill_outbox_open on waybill_outbox (seq) where refusal is null;

-- For the function that producers call; the tables are where they always were.
create schema if not exists waybill;
`;
