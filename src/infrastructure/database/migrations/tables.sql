-- The versions of the schema, one row per migration, and the first version whose builds can work with each.
create table schema_versions (
  version int primary key,
  oldest int not null,
  made_at timestamptz not null default now()
);

-- The builds of this program that have functions here, each in a schema of its own.
create table builds (
  schema text primary key,
  -- The version of the tables that it was made for.
  version int not null,
  -- When a process last used it, up to half a minute late.
  used_at timestamptz not null default now()
) with (fillfactor = 50);

-- The log. A segment has up to 64 consecutive events with a type and an envelope in common, of different streams. data
-- has the JSON of each on a line of its own, as it was decided, except for the members in which all of them are equal:
-- those are in shared, as one JSON object (never a payload, a label, a description or an error). The events of a task
-- are chained: tasks.position is the position of the last one, and prevs has the positions of those before, so reading
-- a task's history follows the chain back. Other streams have segments of one event, and an index. People read the log
-- through the view `events`.
create table segments (
  position bigint primary key,
  n smallint not null,
  category text not null,
  type text not null,
  version smallint not null,
  recorded_at timestamptz not null,
  meta text not null,
  shared text,
  streams uuid[] not null,
  -- Null if all are 0, so that no event comes before them. One element if all are alike.
  revisions int[],
  -- One element if each is one more than that before.
  prevs bigint[],
  ids uuid[] not null,
  data text not null,
  -- The private halves, a line for each event: empty if it has none, '#<commitment>' once it is erased, and what is left of it. Null if no event has one.
  private text,
  -- 16 random bytes for each event; null if there are no private halves.
  salts bytea,
  -- The SHA-256 of all but the private halves and the salts, for which it has commitments (waybill_digest).
  digest bytea
) with (toast_tuple_target = 8160);
alter table segments alter data set storage external, alter private set storage external, alter salts set storage main, alter digest set storage main, alter streams set storage main, alter prevs set storage main,
  alter revisions set storage main, alter ids set storage main;
-- A server that has LZ4 compresses what events have in common, in segments of more than 2 KB. Without it, nothing is compressed:
-- pglz would cost 8 % of Postgres's time of a life.
do $$ begin
  if (select 'lz4' = any (s.enumvals) from pg_settings s where s.name = 'default_toast_compression') then
    alter table segments set (toast_tuple_target = 2040);
    alter table segments alter data set storage main, alter private set storage main, alter data set compression lz4, alter private set compression lz4,
      alter streams set compression lz4, alter ids set compression lz4;
  end if;
end $$;
create unique index segments_stream on segments ((streams[1]), (coalesce(revisions[1], 0))) where category <> 'task';

-- The events as auditors read them, one row each.
create view events as
  select s.position + e.n - 1 as position, s.streams[e.n] as stream, coalesce(s.revisions[least(e.n, cardinality(s.revisions))], 0) as revision, s.category, s.type, s.version,
    s.ids[e.n] as id, s.recorded_at,
    -- As waybill_whole, which each build has.
    case when h.half is null or h.half = '' then o.text when o.text = '{}' then h.half
      else left(o.text, -1) || ',' || substr(h.half, 2) end as data,
    s.meta
  from segments s cross join lateral rows from (string_to_table(s.data, E'\n'), string_to_table(s.private, E'\n')) with ordinality as e(line, half, n)
    cross join lateral (
      select case when s.shared is null then e.line when e.line = '{}' then s.shared else left(s.shared, -1) || ',' || substr(e.line, 2) end) as o(text)
    cross join lateral (select case when e.half not like '#%' then e.half when length(e.half) > 45 then
        '{"error":{"message":"(erased)","class":"' || (e.line::json #>> '{error,class}') || '"'
          || coalesce(',"group":"' || substring(e.half from '"group":"(g[0-9a-f]{15})"') || '"', '') || '}}' end) as h(half);

-- A stream whose id is not a UUID has a key derived from its name.
create table stream_names (stream uuid primary key, name text not null);

create table queues (
  name text primary key,
  -- Of its stream.
  id uuid not null unique,
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
  pause_until timestamptz,
  pause_failure jsonb,
  -- The number of failed attempts since the last success, if the policy counts them, and the task of the latest.
  failure_streak int not null default 0,
  failure_task uuid,
  -- When its name was first defined, and its last event.
  created_at timestamptz,
  updated_at timestamptz,
  -- The steps that need resources; null if none does.
  needs jsonb generated always as (nullif(jsonb_path_query_array(policy, '$.steps[*] ? (exists (@.needs[*]))'), '[]')) stored,
  -- The label whose values have limits of their own; null if none has.
  lane_label text generated always as (policy->'perLabel'->>'label') stored,
  -- The label between whose values claims take turns; null if there is none.
  fair_label text generated always as (policy->'fair'->>'label') stored,
  -- Whether its policy tells ready tasks apart, so that each has a lane.
  by_lanes boolean generated always as (coalesce(policy->'perLabel'->>'label', policy->'fair'->>'label') is not null or jsonb_typeof(policy->'needs') = 'object') stored,
  -- Whether a rate limits its starts, or those of a value of the label.
  paced boolean generated always as (jsonb_path_exists(policy, '$.rate.starts') or jsonb_path_exists(policy, '$.perLabel.rate.starts')
    or jsonb_path_exists(policy, '$.perLabel.values[*].rate.starts')) stored,
  -- Whether tasks leave its lists after a time.
  retains boolean generated always as (jsonb_path_exists(policy, '$.retention.* ? (@ != null)')) stored
);
create index queues_failing on queues (name) where failure_streak > 0;
create index queues_needing on queues (name) where needs is not null;
create index queues_laned on queues (name) where by_lanes;
create index queues_retaining on queues (name) where retains;

-- Whether the system drains: one row, once it has ever drained.
create table system (
  name text primary key,
  revision int not null,
  position bigint not null,
  draining boolean not null,
  -- Null unless it drains.
  intake text,
  running text,
  reason text,
  begun_by text,
  begun_at timestamptz,
  -- Null while tasks still run.
  quiesced_at timestamptz,
  -- Whether the tasks that shutdowns stopped before this position are retried. Null while it drains.
  resume boolean
);

-- What keeps tasks from being given out, by their labels.
create table holds (
  name text primary key,
  revision int not null,
  position bigint not null,
  state text not null,
  -- A task that has all of these labels is caught.
  labels jsonb not null,
  -- One of them, by which a task's labels find the hold; null once it is lifted, and if it forbids erasure.
  label text,
  value text,
  reason text,
  placed_by text not null,
  placed_at timestamptz not null,
  lifted_by text,
  lifted_at timestamptz,
  -- It catches nothing: what the tasks were about cannot be erased.
  forbids_erasure boolean not null default false
);
create index holds_in_force on holds (label, value) where label is not null;

-- What steps of queues need, by gauges that workers measure.
create table resources (
  name text primary key,
  revision int not null,
  position bigint not null,
  state text not null,
  description text not null,
  unit text,
  -- In seconds.
  stale_after int not null,
  defined_by text not null,
  defined_at timestamptz not null,
  -- What the gauge showed at the last crossing of a limit, and when that was; null while the last measure is too old.
  level float8,
  crossed_at timestamptz
);
create index resources_fresh on resources (name) where level is not null;

-- What workers last measured. Not derived from events, so a rebuild keeps it.
create table gauges (
  resource text primary key,
  value float8 not null,
  measured_at timestamptz not null,
  measured_by text not null
) with (fillfactor = 50);

-- Lists of tasks that everybody finds under their names.
create table views (
  name text primary key,
  revision int not null,
  position bigint not null,
  state text not null,
  -- A search; empty if every task matches.
  q text not null,
  overdue boolean not null,
  sort text,
  saved_by text not null,
  saved_at timestamptz not null
);
create index views_saved on views (name) where state = 'saved';

create table triggers (
  name text primary key,
  revision int not null,
  position bigint not null,
  state text not null,
  definition jsonb not null,
  -- The first occurrence that has not fired, or the next look into a queue, which an empty look moves here alone. Null if
  -- the trigger is disabled or deleted.
  next_at timestamptz,
  -- Set if the pattern changed while occurrences were open: these, and the first one of the pattern of now.
  owed jsonb,
  -- What `missed` left out last, and the number of all that were left out.
  skipped jsonb,
  -- Since the last failure: how many there were in a row, what refused the task, and when to try again.
  failures int not null,
  problem jsonb,
  retry_at timestamptz,
  -- The last firing: its occurrence, its task, and when that was made. The last task that was claimed for one.
  last_at timestamptz,
  last_task uuid,
  fired_at timestamptz,
  last_item uuid,
  -- The position of the last event that a trigger of events has dealt with.
  up_to bigint
);
create index triggers_due on triggers (coalesce(retry_at, next_at)) where next_at is not null;

-- The rows are small and change often. No index contains a column that a claim or a success changes, and pages have
-- free room, so that these updates stay on their page and write to no index (HOT). The room suffices for the three
-- versions of a plain life (enqueued, claimed, succeeded). With less, the third would leave its page whenever an old
-- snapshot keeps the first from being cleaned away.
create table tasks (
  task_id uuid primary key,
  -- Whether another task waits for this one to be done, and whether this one has prerequisites. Most tasks have neither,
  -- and need not be looked up among them. First in the row, because every success returns them: Postgres reads a row from
  -- its beginning.
  awaited boolean not null default false,
  dependent boolean not null default false,
  -- Whether a shutdown cancelled the task.
  stopped boolean not null default false,
  -- The hold that caught the task, until the task leaves 'held'.
  hold text,
  batch uuid,
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
  -- The next step of a task with steps, and whether the task has been released or has entered its first step: it has been
  -- claimed.
  step text,
  entered boolean not null default false,
  -- How often it was retried, by a person or by the policy.
  retries int not null default 0,
  error text,
  error_class text,
  seq bigint not null,
  position bigint not null,
  revision int not null,
  -- Since when a pending task waits, if it was in another state before. Null if it has waited since it was enqueued.
  waiting_since timestamptz,
  -- The fencing token and the lease of a running task.
  token bigint,
  lease bigint,
  cancel_requested boolean not null default false,
  -- The state, if no plain life passes through it: lists find such tasks by it. The state itself has no index, because every
  -- claim and success would have to change it. Null while a task is pending, runs, has succeeded or has failed.
  rare_state text,
  -- The task's place in line, if it had a turn and came back: the position of the event with which it did. Null if its
  -- place is still its seq.
  place bigint,
  -- From when on no worker gets the task, when it should be done, whether it was not done by then and, if so, whether it is still
  -- open, and when the running attempt ends at the latest.
  expires_at timestamptz,
  deadline_at timestamptz,
  missed boolean not null default false,
  overdue boolean not null default false,
  run_until timestamptz,
  -- The earliest of these times that is still to come for a task in its state (waybill_alarm); null for most tasks. Only theirs are
  -- in its index, so a plain life writes to no index.
  alarm_at timestamptz,
  -- What a search finds of the payload: the values by their paths. Null unless the policy of the queue names paths.
  payload_terms jsonb,
  -- What the task needs of its worker. Null if it does not say so itself.
  needs jsonb,
  -- What its handler waits for until the due time: a 'signal', or only the 'time'. Null once it is given out again, or due at another time.
  waits_for text
) with (fillfactor = 33, autovacuum_vacuum_scale_factor = 0.05);
create index tasks_queue on tasks (queue, task_id);
create index tasks_failed on tasks (queue, failed_at, task_id) where failed_at is not null;
-- The latest failures of all queues.
create index tasks_failures on tasks (failed_at, task_id) where failed_at is not null;
create index tasks_rare on tasks (queue, rare_state, task_id) where rare_state is not null;
-- With text_pattern_ops they find beginnings as well, whatever the collation of the database is.
create index tasks_key on tasks (queue, key text_pattern_ops) where key is not null;
create index tasks_reference on tasks (queue, reference text_pattern_ops) where reference is not null;
-- The last 8 characters of ids, as people paste them: 4 bytes, written once.
create index tasks_tail on tasks (substring(uuid_send(task_id), 13));
create index tasks_batch on tasks (batch, task_id) where batch is not null;
-- Only of tasks that are in a step: a plain life changes neither column, and a task that waits for its first step is not in it.
create index tasks_step on tasks (step, queue, task_id) where step is not null and entered;
create index tasks_stopped on tasks (task_id) where stopped;
create index tasks_hold on tasks (hold) where hold is not null;
create index tasks_alarm on tasks (alarm_at) where alarm_at is not null;
create index tasks_deadline on tasks (deadline_at, task_id) where deadline_at is not null;
create index tasks_queue_deadline on tasks (queue, deadline_at, task_id) where deadline_at is not null;
create index tasks_overdue on tasks (queue) where overdue;
-- Of those that wait: a held one has a rare state, and one that expired has failed.
create index tasks_waits on tasks (queue, due_at) where waits_for is not null and rare_state is null and failed_at is null;
create index tasks_labels on tasks using gin (labels) where labels is not null;
create index tasks_payload_terms on tasks using gin (payload_terms jsonb_path_ops) where payload_terms is not null;

-- The rows of tasks that have left the lists. What looks a task up by its id or reference finds it here as well, and a
-- command brings its row back. No claim reads this table. archived_at is first, so that both tables have the columns of
-- tasks in the same order, also those that come later.
create table tasks_archive (
  archived_at timestamptz not null,
  like tasks including defaults,
  primary key (task_id)
);
create index tasks_archive_queue on tasks_archive (queue, task_id);
create index tasks_archive_failed on tasks_archive (queue) where failed_at is not null;
create index tasks_archive_reference on tasks_archive (queue, reference) where reference is not null;
create index tasks_archive_batch on tasks_archive (batch, task_id) where batch is not null;

create view known_tasks as
  select null::timestamptz as archived_at, t.* from tasks t union all select a.* from tasks_archive a;

-- How far the archiving of each queue's tasks is. A pass looks through the queue's rows in the order of their ids. Not derived
-- from events, so a rebuild keeps it.
create table archives (
  queue text primary key,
  -- The number of tasks that the queue has in the archive.
  tasks bigint not null,
  -- The policy that the last pass went by, or goes by.
  policy_version int not null,
  -- The last task that the pass has looked at; null once it has ended.
  looked_up_to uuid,
  ended_at timestamptz
) with (fillfactor = 50);

-- The dispatch index has narrow rows without payloads. The ready lane of a queue is run-length encoded: a row is an
-- extent of up to 64 tasks with consecutive places. Only new tasks without a key, whose one event is that they were
-- enqueued, share an extent. Any other ready task has a row of its own with its id.
create table ready (
  queue text not null,
  priority int not null,
  from_seq bigint not null,
  to_seq bigint not null,
  task_id uuid,
  -- The next step of the tasks. Null for tasks without steps, which claims by step never look at.
  step text,
  -- All by which the policy of its queue tells tasks apart (waybill_lane). Null if that is nothing. Tasks with a lane have a row each.
  lane text collate "C",
  -- Since when a worker could have taken a task that returned, became due or was changed. Such a task may come before
  -- the floor at which a claim begins. An extent has it if its tasks' batch was opened. Null for new tasks: they come after all others of their priority, and wait since
  -- they were enqueued.
  since timestamptz,
  -- From when on the task is not given out any more. Null for those in extents.
  expires_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create unique index ready_order on ready (queue, priority desc, from_seq);
create index ready_returned on ready (queue, since) where since is not null;
create index ready_step on ready (queue, step, priority desc, from_seq) where step is not null;
create index ready_lane on ready (queue, lane, priority desc, from_seq) where lane is not null;

-- By what the ready tasks of a queue have lanes (waybill_laned_by).
create table laned (
  queue text primary key,
  laned_by text not null,
  -- By which version of its policy.
  policy_version int not null,
  -- With fair shares: the virtual time of the queue, which is that of the last turn.
  at bigint not null default 0,
  -- How many turns there were at that time, which stands still as long as new lanes come.
  turns bigint not null default 0
);

-- The next turn of each lane in a queue with fair shares. It outlasts the last task of the lane until the queue's virtual time has reached it, so that
-- nobody gets ahead by coming back. Not derived from events: a rebuild keeps it, and gives the others the next turn.
create table turns (
  queue text not null,
  -- Compared with `ready.lane`: with another collation, no index would serve it.
  lane text collate "C" not null,
  -- What its tasks need of their worker (waybill_turn_needs): claims look at no lane whose tasks another worker must have.
  needs text collate "C" not null,
  -- What the lane says of turns (waybill_lane_turn). Lanes that say the same have them together, and so the same time and place.
  value text collate "C" not null,
  -- Its virtual time: each turn moves it on by what the weight says. If it is less than that of the queue, that counts.
  at bigint not null,
  -- That of the task with which it began to wait: of equal times, the first comes first.
  place bigint not null,
  primary key (queue, value, lane)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
-- With a collation that the key has not, so that no plan from when there was little looks a value up by it, and walks over all of the queue.
create index turns_next on turns (queue collate "C", needs, at, place);

-- How far the starts of a queue with a rate, or of a value of its label, are ahead of that rate. Not derived from events, so a rebuild keeps it.
create table paces (
  queue text not null,
  -- What a lane says of limits (waybill_lane_limit). Empty for the queue as a whole.
  lane text collate "C" not null,
  -- Until when the rate is used up: each start moves it on by the time that the rate gives one ("theoretical arrival time" of GCRA, ITU-T I.371).
  used_until timestamptz not null,
  primary key (queue, lane)
) with (fillfactor = 50);
create index paces_over on paces (queue, used_until);

-- Every open task that is neither ready nor running, with what it waits for.
create table waiting (
  task_id uuid primary key,
  queue text not null,
  gate text not null,
  due_at timestamptz,
  key text,
  priority int not null,
  -- The task's place in line.
  place bigint not null,
  -- Whether the task has a key and was given out before: only then may its place differ from its age.
  begun boolean not null default false,
  -- The number of prerequisites that are not done.
  blockers int not null default 0 check (blockers >= 0),
  -- The task's batch, until that is opened.
  staged uuid
);
create index waiting_staged on waiting (staged, place) where staged is not null;
create index waiting_due on waiting (queue, due_at) where gate = 'due';
create index waiting_next_due on waiting (due_at) where gate = 'due';
-- Also for all tasks of a queue: beside an index of the queue alone, plans from when there were few tasks would choose that
-- one, and walk over the queue's tasks for one key.
create index waiting_key on waiting (queue, key, gate, priority desc, place);
create index waiting_begun on waiting (queue, key) where begun;

-- Tasks whose histories this build cannot read, at which event, and why. A pending one waits with the gate 'quarantined'.
create table quarantined (
  task_id uuid primary key,
  position bigint,
  error text not null,
  since timestamptz not null default now(),
  -- How often it was read in vain, and when to read it again.
  tries int not null default 1,
  retry_at timestamptz not null,
  -- Whether the index lacks its last events, because it could not apply them. They are applied when a service starts.
  parked boolean not null default false
);
create index quarantined_retry on quarantined (retry_at);

-- How many rows of the index contradicted others and were mended, by the kind of row.
create table mended_rows (
  what text primary key,
  mended bigint not null
);

-- How often a follower of a log in another store was skipped events of a stream, or got one again.
create table log_gaps (
  kind text primary key check (kind in ('skipped', 'doubled')),
  gaps bigint not null
);

-- Up to where the events that a follower of such a log has passed were read again and compared with its rows, and how many.
create table log_comparisons (
  follower text primary key,
  position bigint not null,
  events bigint not null default 0
);

-- How many events the other followers of such a log have passed, beside how many there are.
create table follower_counts (
  follower text primary key,
  -- Where it was lately, and how many events it had passed. Null until the comparison needs it.
  position bigint,
  events bigint,
  -- How many more these were, up to `compared`, than the comparison had read. Null: not compared yet. The number never
  -- changes, unless the follower is skipped an event or gets one again.
  lead bigint,
  compared bigint,
  -- Up to here, what it has passed says nothing.
  begins bigint not null default 0
);

-- What the sweeper could not deal with, until it can.
create table failing_items (
  chore text not null,
  item text not null,
  error text not null,
  tries int not null,
  since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  primary key (chore, item)
);

-- Events that a reaction or a trigger could not deal with, until it can. Not derived from events, so a rebuild keeps it.
create table events_put_aside (
  follower text not null,
  -- Within a line the order is kept. Each trigger has one, and so has each event of a reaction.
  line text not null,
  position bigint not null,
  -- When the event was recorded.
  at timestamptz not null default now(),
  -- Whether the trigger waits for the event; false if that cannot be known. Null if no task is to be made of it.
  matched boolean,
  -- Null, like the time of the next try, for an event that waits for an earlier one of its line.
  error text,
  retry_at timestamptz,
  tries int not null default 0,
  tried_at timestamptz not null default now(),
  since timestamptz not null default now(),
  -- The log did not deliver it, so the trigger may have dealt with later ones before.
  late boolean not null default false,
  primary key (follower, line, position)
);
create index events_put_aside_retry on events_put_aside (follower, retry_at) where retry_at is not null;

-- Events that the log did not deliver, for each follower that gives commands, until it has passed and looked at them.
create table events_skipped (
  follower text not null,
  position bigint not null,
  primary key (follower, position)
);

-- Which process leads a role. It renews the deadline; once that has passed, anybody may begin the next term. Work carries
-- the epoch of its term.
create table leaders (
  role text primary key,
  holder uuid not null,
  -- For people: the machine and the number of the process.
  process text not null,
  epoch bigint not null,
  since timestamptz not null default now(),
  deadline timestamptz not null,
  -- When any holder finished a round of the role's work last. Null for roles without rounds: followers have checkpoints.
  worked_at timestamptz
) with (fillfactor = 50);

-- What tasks wait for. A prerequisite that is done stays done, so a row is closed for good.
create table prerequisites (
  task_id uuid not null,
  -- A task or a batch.
  needs uuid not null,
  -- Whether an abort of the prerequisite counts as done.
  ignore boolean not null,
  closed boolean not null,
  -- The append that names the prerequisite, while its event is not applied yet. Until then the task does not wait for it.
  reservation uuid,
  primary key (task_id, needs)
);
create index prerequisites_needs on prerequisites (needs, closed);
create index prerequisites_reservation on prerequisites (reservation) where reservation is not null;

-- Groups of tasks. The counts follow the tasks in the commits that change them: `open` has those that have not ended.
create table batches (
  id uuid primary key,
  revision int not null,
  position bigint not null,
  name text not null,
  description text,
  labels jsonb,
  state text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- The task that plans the batch, and whether it has ended without success.
  planner uuid,
  plan_ended boolean not null,
  -- Why the plan failed; the batch was then never opened.
  error text,
  policy jsonb,
  -- How runs of failed tasks are reported.
  re_runs text not null,
  report_to jsonb,
  -- The failed batch whose tasks this one runs again, and the one that runs the tasks of this one again.
  rerun_of uuid,
  rerun uuid,
  reports int not null,
  reported_at timestamptz,
  total int not null,
  open int not null,
  succeeded int not null,
  failed int not null,
  aborted int not null,
  deleted int not null,
  -- The counts when the batch last ended, and whether they are the same now.
  ended_with jsonb,
  settled boolean not null generated always as (ended_with is not null and (ended_with->>'total')::int = total
    and (ended_with->>'succeeded')::int = succeeded and (ended_with->>'failed')::int = failed
    and (ended_with->>'aborted')::int = aborted and (ended_with->>'deleted')::int = deleted) stored,
  -- Whether a task may have ended since tasks were last looked for that are reported by themselves.
  task_ended boolean not null,
  -- Whether a task waits for the batch to be completed.
  awaited boolean not null
) with (fillfactor = 50);
-- The order of lists.
create index batches_created on batches (created_at, id);
create index batches_over on batches (id) where state = 'reporting' or not settled and open = 0 and (state = 'running' or state = 'failed' and error is null and (re_runs = 'auto' or re_runs = 'rerun-batch' and succeeded > 0 and succeeded + deleted = total));
create index batches_with_runs on batches (id) where state = 'failed' and re_runs = 'own' and error is null and task_ended;
create index batches_by_planner on batches (planner) where planner is not null;
create index batches_without_plan on batches (id) where plan_ended and state = 'planning';

-- What remains to be done about the tasks that wait for a task or a batch, and about a batch's own tasks: 'unblock' them
-- because it is done, 'abort' them because it was aborted, 'open' or 'delete' the batch's own, 'compare' the batch's row with its stream, because
-- an event found none.
create table consequences (
  id uuid,
  what text,
  primary key (id, what)
);

-- Provides fencing tokens and the ids of leases, so no lease of several tasks has an id that is also a token.
create sequence lease_tokens;
-- One row per claim. A running task points to its lease. A task that is extended or expires separately gets a lease of
-- its own. If the events are in EventStoreDB, a lease exists before its claim is recorded. Until that is applied, the task's reservation
-- points to it.
create table leases (
  id bigint primary key,
  queue text not null,
  worker text not null,
  server text not null,
  -- The holder of the API key, if the tasks that run for it are limited.
  holder text,
  secret uuid,
  claim_id uuid not null,
  lease_ms int not null,
  deadline timestamptz not null,
  -- No heartbeat has come since the claim.
  unheard boolean not null default true,
  -- The number of tasks that point to the lease, by their rows or by the reservations of their claims. It ends with the last of them.
  open int not null,
  -- All tasks that have ever pointed to it.
  tasks uuid[] not null,
  -- The reservation of an expiry in progress, which no extension may undo. The lease has only the task that expires.
  expiring uuid
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index leases_deadline on leases (deadline);
create index leases_queue on leases (queue);
create index leases_claim on leases (claim_id);
create index leases_holder on leases (holder) where holder is not null;
create index leases_expiring on leases (expiring) where expiring is not null;

-- How far tasks are, as their workers last reported: a list of bars with title, start, end and position. Not derived from
-- events, so a rebuild keeps it.
create table task_progress (
  task_id uuid primary key,
  attempt int not null,
  bars jsonb not null
) with (fillfactor = 50);

-- What handlers say while they run tasks: the last lines of each task. Not derived from events, so a rebuild keeps it.
create table task_log (
  task_id uuid,
  attempt int,
  -- From 1 in an attempt.
  number int,
  -- By the clock of the worker.
  at timestamptz not null,
  level text not null,
  text text not null,
  fields jsonb,
  kept_at timestamptz not null default now(),
  primary key (task_id, attempt, number)
);
create index task_log_kept on task_log (kept_at);
-- Postgres would keep samples of texts that are erased, even of a table that is empty by then.
alter table task_log alter column text set statistics 0, alter column fields set statistics 0;
alter table task_progress alter column bars set statistics 0;

-- How far bulk operations are, so that an interrupted one goes on where it stopped. Not derived from events, so a rebuild
-- keeps it.
create table bulk_checkpoints (
  task_id uuid primary key,
  -- The fencing token of the attempt.
  token bigint not null,
  checkpoint jsonb not null,
  saved_at timestamptz not null default now()
);

-- The tasks that got the command of a bulk operation, a page a row, as its result counts them. Not derived from events, so a rebuild
-- keeps it.
create table operation_tasks (
  operation uuid,
  page int,
  tasks uuid[] not null,
  primary key (operation, page)
);

-- What an order of an erasure concerns, and what became of each: 'ERASED', 'ALREADY_ERASED' by another order, the code of a refusal, or nothing yet. An order does
-- not say in the log whose they are. Not derived from events, so a rebuild keeps it.
create table erasure_items (
  erasure uuid,
  -- 'task', or 'outbox': a refused row of the outbox.
  kind text,
  id uuid,
  outcome text,
  -- How many halves were erased.
  halves int not null default 0,
  -- Of the event that records it.
  position bigint,
  primary key (erasure, kind, id)
);
-- A purge passes over what is erased, and what never can be.
create index erasure_items_erased on erasure_items (id) where outcome in ('ERASED', 'STORED_WHOLE');

-- The keys of private halves of events in another store, one a stream, wrapped by a master key of the service, and which those are.
-- Nobody can make them again, so a rebuild keeps them, and a backup must have them.
create table content_keys (
  stream uuid primary key,
  -- The name of the master key.
  master text not null,
  -- Null once it is destroyed. Then `rests` is what is left of the halves, by the ids of their events.
  key bytea,
  rests jsonb
);
create table content_key_masters (
  name text primary key,
  -- 'replaced': it encrypts no new key. 'gone': nor any old one.
  state text not null default 'used'
);

-- The log whose mark the store of payloads outside it has, so that an empty folder or bucket in its place is told from a new one. Not
-- derived from events, so a rebuild keeps it.
create table payload_store (log text primary key);

-- How the targets of deliveries are: hosts of webhooks, and the mail server. Two rows are of hosts that share places. Not derived from events, so a rebuild keeps it.
create table delivery_targets (
  target text primary key,
  -- The deliveries that are under way, each with the time when it is over at the latest.
  under_way jsonb not null default '{}',
  -- Since the last success: how many failures there were in a row, what the last one was, and until when nobody tries again.
  failures int not null default 0,
  failing boolean not null default false,
  -- Whether it took the last delivery.
  proven boolean not null default false,
  error text,
  failed_at timestamptz,
  closed_until timestamptz,
  -- How long a place is taken, on average, and until when deliveries wait for one.
  pace_ms float8 not null default 20,
  line_until timestamptz not null default now(),
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

-- The claims of the last day, to recognise repeated ones.
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
) with (fillfactor = 50);
create table key_failures (
  queue text not null,
  key text not null,
  task_id uuid not null,
  primary key (queue, key, task_id)
);

-- Each item of a request takes its key, which is kept with the answer for a day.
create table idempotency_keys (
  key text not null,
  item int not null,
  fingerprint text not null,
  stream text not null,
  revision int not null,
  position bigint not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (key, item)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- Used if the events are in EventStoreDB: what an append takes before its event is stored, because this database cannot
-- commit together with that store. There is one append in progress per stream. Its reservation ends when the event is
-- applied, or when it is certain that the event never arrives.
create table reservations (
  stream uuid primary key,
  name text not null,
  -- The id of the append's first event.
  id uuid not null unique,
  expected int not null,
  -- The queue that the append was decided by or changes. Null if it concerns only its stream.
  scope text,
  changes_scope boolean not null,
  -- The key whose waiting place it takes, and its reference and idempotency key (with the answer).
  key text,
  reference text,
  idempotency jsonb,
  -- Whether the append ends a task so that nothing can wait for it any more.
  ends boolean not null default false,
  -- The batch to which the append adds a task.
  batch uuid,
  -- The lease and the token of the task that the append claims.
  lease bigint,
  token bigint,
  -- The transaction that the append is part of; null if there is none.
  transaction uuid,
  -- Whether the transaction is stored at once, so that a fence in the place of this append keeps all of it away.
  fences_all boolean not null default false,
  reserved_at timestamptz not null default clock_timestamp(),
  deadline timestamptz not null
);
create index reservations_scope_changes on reservations (scope) where changes_scope;
create index reservations_key on reservations (scope, key) where key is not null;
create index reservations_reference on reservations (scope, reference) where reference is not null;
create index reservations_batch on reservations (batch) where batch is not null;
create index reservations_idempotency on reservations ((idempotency->>'key')) where idempotency is not null;

-- One row per leased task. 'reservation': that of a claim that is not applied yet.
create view task_leases as
  select case when t.lease = l.id then t.token else (select r.token from reservations r where r.stream = t.task_id and r.lease = l.id) end as token,
    t.task_id, l.queue, l.worker, l.server, l.holder, l.secret, l.claim_id, l.lease_ms, l.deadline, l.unheard, t.lease = l.id and t.cancel_requested as cancel_requested,
    case when t.lease is distinct from l.id then (select r.id from reservations r where r.stream = t.task_id and r.lease = l.id) end as reservation,
    l.expiring, l.id as lease, t.run_until
  -- 'offset 0': from the leases to their tasks, whatever the planner knows of either. Without statistics it would read all tasks.
  from leases l cross join lateral unnest(l.tasks) as u(task_id)
    cross join lateral (select * from tasks where task_id = u.task_id offset 0) t
  where t.lease = l.id or exists (select from reservations r where r.stream = t.task_id and r.lease = l.id);

-- When a crash of Postgres was noticed, which empties this table.
create unlogged table crashes (noticed_at timestamptz not null);
insert into crashes (noticed_at) values ('-infinity');

-- What is recorded of each open task, for claims: one event a line, each a JSON object with its type, version, recordedAt and
-- data. In text, which is never looked into here.
create table open_histories (
  task_id uuid primary key,
  -- Of the last event.
  revision int not null,
  events text not null
) with (fillfactor = 70, toast_tuple_target = 8160);
alter table open_histories alter events set storage external;

-- The same of tasks that a command ended which can be undone, for a while. Not rebuilt: what lacks here is read from its stream.
create table ended_histories (
  task_id uuid primary key,
  revision int not null,
  events text not null,
  kept_at timestamptz not null default now()
) with (fillfactor = 70, toast_tuple_target = 8160);
alter table ended_histories alter events set storage external;
create index ended_histories_kept_at on ended_histories (kept_at);

create index reservations_transaction on reservations (transaction) where transaction is not null;

-- The event store to which the checkpoints and rows of this database belong.
create table event_store (id text primary key, named_at timestamptz not null default now());

-- Stretches of the store's log in which there is nothing of ours: between two of our events. Whoever reads the
-- log leaves them out. `categories`: how many kinds of streams the build knew that looked, because one that
-- knows more might find something there.
create table log_stretches (
  categories int not null,
  -- The positions of the events before and after it, and the id of the one after it.
  after bigint not null,
  up_to bigint not null,
  event_id uuid not null,
  -- That event and those of ours soon after it, as they were read; null if they are too long or not among the newest.
  island text,
  primary key (categories, up_to)
);

-- Where the store's log ended, and which was our newest event then, once a minute: a start and a search by time go on from here.
create table log_marks (
  categories int not null,
  -- Of the log's last record then, and when the store wrote it.
  position bigint not null,
  record_id uuid not null,
  at timestamptz not null,
  -- Our newest event; 0 and null if there was none.
  newest bigint not null,
  newest_id uuid,
  noted_at timestamptz not null default now(),
  -- The first of its hour is kept longer.
  hourly boolean not null,
  primary key (categories, position)
);
create index log_marks_at on log_marks (categories, at);
create index log_marks_noted_at on log_marks (categories, noted_at);

-- When the events of the log were recorded, stretch by stretch, so that a time leads to a position. It follows from the
-- log, and may be emptied at any time.
create table log_times (
  -- The position before the stretch, and that of its last event.
  after bigint primary key,
  up_to bigint not null,
  earliest timestamptz not null,
  latest timestamptz not null
);

-- What was open in which state at a position, so that looks at the past need not begin where the log begins. Derived from the log: any may be
-- deleted. counts: by queue, the tasks in each state as of counted_at. bytes: about what it takes here.
create table snapshots (
  position bigint primary key,
  counted_at bigint not null,
  counts jsonb not null,
  bytes bigint not null,
  made_at timestamptz not null default now()
);

-- runs: of the places of tasks in extents, the first in 8 bytes and how many follow it in 4. ids: of other tasks, 16 bytes each, in no
-- order. Both are null if there are none.
create table snapshot_tasks (
  position bigint not null,
  queue text not null,
  state text not null,
  runs bytea,
  ids bytea,
  primary key (position, queue, state)
);
alter table snapshot_tasks alter runs set storage external, alter ids set storage external;

-- The rows of read models that count, as of a position of the log, so that the figures of a moment need not be counted from the beginning. Derived
-- from the log: any may be deleted. version: of the model, whose rules made them. bytes: of the snapshot with which they were made.
create table model_snapshots (
  model text not null,
  version int not null,
  position bigint not null,
  rows jsonb not null,
  bytes bigint not null,
  primary key (model, version, position)
);

-- How far the tree of the log is (docs/reference/log-format.md): one row, once there is a notary. Tree and tiles follow from the log, and may
-- be emptied.
create table log_tree (
  is_only boolean primary key default true check (is_only),
  -- The number of leaves, and the position of the last event of the last one.
  size bigint not null,
  position bigint not null
);

-- The hashes of the tree, up to 256 in a row, 32 bytes each: at level 0 those of leaves, above the roots of the tiles of the level below.
create table seal_tiles (
  level smallint not null,
  n bigint not null,
  hashes bytea not null,
  -- At level 0, the position of the leaf before the first one, or 0.
  begins_after bigint,
  primary key (level, n)
);
alter table seal_tiles alter hashes set storage external;
create index seal_tiles_begins_after on seal_tiles (begins_after) where level = 0;

-- What the notary signed, as notes: all of a month, and of each day before the last one. Not derived: a signature cannot be made again without its key.
create table seals (
  -- Of which of the logs that came one after another, from 1: the next one begins when somebody accepts a loss or retires the key.
  log int not null,
  size bigint not null,
  position bigint not null,
  root bytea not null,
  note text not null,
  made_at timestamptz not null default now(),
  primary key (log, size)
);
create index seals_made on seals (made_at);

-- What the notary says of itself: one row, once there is one. key: as verifiers take it, of whoever asks; nobody who verifies should take it from here.
create table notary (
  is_only boolean primary key default true check (is_only),
  key text,
  -- Since when it signs nothing, and why. Both null while it seals.
  stopped_at timestamptz,
  stopped_for text,
  -- What it signed last, while the log does not go on from that.
  lost_seal text,
  -- Up to where it has read the texts again, in the pass that began then; null before the first one.
  audited_position bigint,
  audited_since timestamptz,
  -- Where it found a fault that no pass has found mended since.
  fault_position bigint,
  -- How often a witness has refused a seal.
  witness_refusals bigint not null default 0
);

-- Read models that follow the log. Each follower has one row ('live'), and a second one while its tables are rebuilt
-- ('shadow').
create table projection_checkpoints (
  name text not null,
  slot text not null,
  version int not null,
  position bigint not null,
  -- How many events its rows were made of. The index compares revisions instead.
  events bigint not null default 0,
  -- 'stopped' if the next event is poison.
  status text not null,
  stopped_at bigint,
  error text,
  updated_at timestamptz not null default now(),
  primary key (name, slot)
) with (fillfactor = 50);

-- One row per queue, updated with every batch. Free room on the page keeps the updates out of the index.
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
  failures_lost bigint not null,
  failures_timeout bigint not null,
  failures_expired bigint not null,
  losses_unheard bigint not null,
  deadlines_missed bigint not null,
  waited_count bigint not null,
  waited_total_ms bigint not null,
  waited_max_ms bigint not null,
  ran_count bigint not null,
  ran_total_ms bigint not null,
  ran_max_ms bigint not null,
  done_count bigint not null,
  done_total_ms bigint not null,
  done_max_ms bigint not null,
  waited_upto_10 bigint not null,
  waited_upto_50 bigint not null,
  waited_upto_250 bigint not null,
  waited_upto_1000 bigint not null,
  waited_upto_5000 bigint not null,
  waited_upto_30000 bigint not null,
  waited_upto_120000 bigint not null,
  waited_upto_600000 bigint not null,
  waited_upto_3600000 bigint not null,
  ran_upto_10 bigint not null,
  ran_upto_50 bigint not null,
  ran_upto_250 bigint not null,
  ran_upto_1000 bigint not null,
  ran_upto_5000 bigint not null,
  ran_upto_30000 bigint not null,
  ran_upto_120000 bigint not null,
  ran_upto_600000 bigint not null,
  ran_upto_3600000 bigint not null,
  position bigint not null
) with (fillfactor = 50);

-- What happened in each queue in every minute of the last days, and in every hour. A histogram of durations has 32 bins, whose
-- bounds double. Rows of the current minute and hour change with every batch, hence the free room on their pages.
create table queue_minutes (
  queue text not null,
  at timestamptz not null,
  enqueued int not null,
  claimed int not null,
  succeeded int not null,
  failed_business int not null,
  failed_application int not null,
  failed_transient int not null,
  failed_bug int not null,
  failed_lost int not null,
  failed_timeout int not null,
  failed_expired int not null,
  retried int not null,
  lost int not null,
  backlog int not null,
  waited_total_ms bigint not null,
  waited_max_ms bigint not null,
  ran_total_ms bigint not null,
  ran_max_ms bigint not null,
  waited_0 int not null, waited_1 int not null, waited_2 int not null, waited_3 int not null,
  waited_4 int not null, waited_5 int not null, waited_6 int not null, waited_7 int not null,
  waited_8 int not null, waited_9 int not null, waited_10 int not null, waited_11 int not null,
  waited_12 int not null, waited_13 int not null, waited_14 int not null, waited_15 int not null,
  waited_16 int not null, waited_17 int not null, waited_18 int not null, waited_19 int not null,
  waited_20 int not null, waited_21 int not null, waited_22 int not null, waited_23 int not null,
  waited_24 int not null, waited_25 int not null, waited_26 int not null, waited_27 int not null,
  waited_28 int not null, waited_29 int not null, waited_30 int not null, waited_31 int not null,
  ran_0 int not null, ran_1 int not null, ran_2 int not null, ran_3 int not null,
  ran_4 int not null, ran_5 int not null, ran_6 int not null, ran_7 int not null,
  ran_8 int not null, ran_9 int not null, ran_10 int not null, ran_11 int not null,
  ran_12 int not null, ran_13 int not null, ran_14 int not null, ran_15 int not null,
  ran_16 int not null, ran_17 int not null, ran_18 int not null, ran_19 int not null,
  ran_20 int not null, ran_21 int not null, ran_22 int not null, ran_23 int not null,
  ran_24 int not null, ran_25 int not null, ran_26 int not null, ran_27 int not null,
  ran_28 int not null, ran_29 int not null, ran_30 int not null, ran_31 int not null,
  position bigint not null,
  primary key (queue, at)
) with (fillfactor = 50);
create index queue_minutes_at on queue_minutes (at);
create table queue_hours (like queue_minutes including defaults including constraints, primary key (queue, at)) with (fillfactor = 50);

create table worker_roster (
  worker text not null,
  queue text not null,
  server text,
  build text,
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

-- What led to what: the cause and the effect are tasks, or batches. kind: its number in `LINEAGE_KINDS`. position: that of the event that
-- names the cause. There is a row only where one is named.
create table lineage (
  cause uuid not null,
  effect uuid not null,
  kind smallint not null,
  position bigint not null,
  primary key (cause, effect, kind)
);
create index lineage_effect on lineage (effect);

-- The late reports that came after the next attempt of their task had begun.
create table attempt_overlaps (
  position bigint primary key,
  queue text not null,
  task uuid not null,
  attempt int not null,
  worker text not null,
  next_attempt int not null,
  next_worker text not null,
  lost_at timestamptz not null,
  begun_at timestamptz not null,
  ended_at timestamptz not null
);
create index attempt_overlaps_ended_at on attempt_overlaps (ended_at);

-- Failures in groups of the same cause, one row each, in the order in which they were seen last: how many attempts and tasks
-- failed like this, what people said of it last, what repaired it last, and when it came back last. Of a group that has no
-- failures by the rules of today, only the latter.
create table failure_groups (
  group_id text primary key,
  class text,
  attempts bigint not null,
  tasks bigint not null,
  first_at timestamptz,
  last_at timestamptz,
  said_state text,
  state text not null generated always as (coalesce(said_state, 'open')) stored,
  returns bigint not null,
  said jsonb,
  repair jsonb,
  returned jsonb,
  position bigint not null
);
create index on failure_groups (last_at, group_id);
create index on failure_groups (state, last_at, group_id);
create index on failure_groups (group_id) where returns > 0;

-- The same by queue, with the task that failed last, and where.
create table failure_group_queues (
  group_id text not null,
  queue text not null,
  attempts bigint not null,
  tasks bigint not null,
  first_at timestamptz,
  last_at timestamptz,
  last_task uuid,
  position bigint not null,
  primary key (group_id, queue)
);
create index on failure_group_queues (queue, last_at, group_id);

create table failure_group_hours (
  group_id text not null,
  queue text not null,
  at timestamptz not null,
  attempts bigint not null,
  tasks bigint not null,
  position bigint not null,
  primary key (group_id, queue, at)
) with (fillfactor = 50);
create index on failure_group_hours (at);

create table failure_group_workers (
  group_id text not null,
  queue text not null,
  worker text not null,
  attempts bigint not null,
  first_at timestamptz,
  last_at timestamptz,
  position bigint not null,
  primary key (group_id, queue, worker)
) with (fillfactor = 50);
create index on failure_group_workers (last_at);

-- The group in which a task failed last, where in the log, and whether it is failed now, or undecided (1), or not (0).
create table failed_tasks (
  task_id uuid primary key,
  group_id text,
  queue text,
  failed_position bigint,
  failing int,
  position bigint not null
) with (fillfactor = 50);
create index on failed_tasks (group_id, task_id);
create index on failed_tasks (group_id, queue) where failing = 1;

-- When each worker ran which build, because a failure does not say that.
create table worker_builds (
  queue text not null,
  worker text not null,
  build text not null,
  first_at timestamptz,
  last_at timestamptz,
  position bigint not null,
  primary key (queue, worker, build)
) with (fillfactor = 50);
create index on worker_builds (last_at);

-- The workers that ask for tasks, whether or not there are any.
create table worker_presence (
  worker text not null,
  queue text not null,
  server text not null,
  first_seen_at timestamptz not null,
  -- When it last asked, up to a few seconds late.
  seen_at timestamptz not null,
  -- How many of its handlers were stuck when it last said so, and when that was.
  stuck int,
  stuck_at timestamptz,
  -- What it offered when it last asked for tasks; null: nothing.
  offers jsonb,
  primary key (worker, queue)
) with (fillfactor = 50);
create index worker_presence_queue on worker_presence (queue);

-- When a worker last asked for tasks at a step, up to a few seconds late. The step '' stands for tasks of all kinds.
create table worker_steps (
  queue text not null,
  worker text not null,
  step text not null,
  seen_at timestamptz not null,
  primary key (queue, worker, step)
) with (fillfactor = 50);

-- When a worker last gave a task of a kind back because it does not know the kind, and which.
create table unknown_kinds (
  queue text not null,
  kind text not null,
  worker text not null,
  task_id uuid not null,
  seen_at timestamptz not null,
  primary key (queue, kind, worker)
) with (fillfactor = 50);

-- When each API key was used last, by the first digits of its hash.
create table api_key_uses (
  id text primary key,
  name text not null,
  used_at timestamptz not null
) with (fillfactor = 50);

-- Producers in the same Postgres write tasks here, in their own transactions. The constraints check what the API
-- checks, so that a producer learns of a mistake at once, and the relay can read every row. A repetition in a regular
-- expression of Postgres is limited to 255.
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
  expires_at timestamptz constraint waybill_outbox_expires_at_is_from_1970_to_9999
    check (expires_at >= '1970-01-01Z' and expires_at < '10000-01-01Z'),
  ttl_ms bigint constraint waybill_outbox_ttl_ms_is_from_1_to_a_year check (ttl_ms between 1 and 31622400000),
  constraint waybill_outbox_expires_at_or_ttl_ms_is_given check (expires_at is null or ttl_ms is null),
  deadline_at timestamptz constraint waybill_outbox_deadline_at_is_from_1970_to_9999
    check (deadline_at >= '1970-01-01Z' and deadline_at < '10000-01-01Z'),
  labels jsonb constraint waybill_outbox_labels_are_up_to_32_short_texts check (
    jsonb_typeof(labels) = 'object' and jsonb_array_length(jsonb_path_query_array(labels, 'strict $.keyvalue()')) <= 32
    and not jsonb_path_exists(labels, 'strict $.keyvalue() ? (!(@.key like_regex "^.{1,64}$" flag "s"))')
    and not jsonb_path_exists(labels, 'strict $.* ? (@.type() != "string" || !(@ like_regex "^.{0,255}.?$" flag "s"))')),
  description text constraint waybill_outbox_description_has_1_to_4096_characters check (char_length(description) between 1 and 4096),
  steps text[] constraint waybill_outbox_steps_are_1_to_100_names_of_1_to_100_characters check (
    cardinality(steps) between 1 and 100 and array_position(steps, null) is null
    and not jsonb_path_exists(to_jsonb(steps), 'strict $[*] ? (!(@ like_regex "^.{1,100}$" flag "s"))')),
  context uuid,
  audit_context text constraint waybill_outbox_audit_context_has_1_to_512_characters check (char_length(audit_context) between 1 and 512),
  data jsonb
    constraint waybill_outbox_data_is_an_object check (jsonb_typeof(data) = 'object')
    constraint waybill_outbox_data_has_no_number_that_is_rounded
      check (not jsonb_path_exists(data, 'strict $.** ? (@.type() == "number" && (@ > 9007199254740991 || @ < -9007199254740991))'))
    constraint waybill_outbox_data_has_no_member_that_reaches_a_prototype
      check (not jsonb_path_exists(data, 'strict $.** ? (@.type() == "object").keyvalue()
        ? (@.key == "__proto__" || @.key == "constructor" || @.key == "prototype")'))
    constraint waybill_outbox_data_has_64_levels_at_most
      check (not jsonb_path_exists(data, 'strict $.**{64} ? (@.type() == "object" || @.type() == "array")')),
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
  -- Why the task was refused. The row stays, and is tried again if this is set to null.
  refusal jsonb,
  refused_at timestamptz,
  -- How often no task could be made of it for a reason that may pass, and when to try again; null before the first time.
  tries int not null default 0,
  retry_at timestamptz
);
create index waybill_outbox_open on waybill_outbox (seq) where refusal is null and retry_at is null;
create index waybill_outbox_refused on waybill_outbox (refused_at) where refusal is not null;
create index waybill_outbox_retry on waybill_outbox (retry_at) where refusal is null and retry_at is not null;

-- The schema of the function that producers call. The tables do not move there.
create schema if not exists waybill;
