import type { Pattern, Search, Term } from '../../../domain/search/term.js';
import { isRare } from '../../kernel/rare-states.js';
import type { TaskStatus } from '../../../domain/task/task.events.js';
import { beginning, type Bind, type Fragment, texts, uuids } from '../../kernel/fragment.js';
import { NAMED_VALUES } from '../task.entity.js';
import { valuesOf } from './terms-of.js';

/**
 * Finds the ids of the tasks that match a term, by an index that it names; null if none has them. The ids may be of a few more tasks, which the
 * conditions leave out. Beside a term of queues it looks into those alone; otherwise into each queue, by its name.
 */
export function lookupOf(term: Term, all: Search): Fragment | null {
  if ('than' in term) return null;
  if ('name' in term) return (bind) => byName(NAMED_VALUES[term.field].column, term.name, term.values, bind);
  const look = (LOOKUPS as Readonly<Record<string, Lookup>>)[term.field];
  return look?.(term.values, (bind) => queuesOf(all, bind)) ?? null;
}

type Lookup = (values: readonly Pattern[], queues: Fragment) => Fragment | null;

const LOOKUPS = {
  /** tasks_pkey and tasks_tail. */
  id: (values) => (bind) => {
    const [whole, tails] = [values.filter(isWhole), values.filter((value) => !isWhole(value))];
    return `select task_id as id from tasks where task_id = any (${uuids(bind, textsOf(whole))})
      union all select task_id from tasks where substring(uuid_send(task_id), 13) = any (array(select decode(tail, 'hex') from unnest(${texts(bind, textsOf(tails))}) tail))`;
  },
  /** tasks_reference and tasks_key. */
  reference: (values, queues) => byText('reference', values, queues),
  key: (values, queues) => byText('key', values, queues),
  /** tasks_batch. */
  batch: (values) => (bind) => `select task_id as id from tasks where batch = any (${uuids(bind, textsOf(values))})`,
  /** The index of `failed_tasks` by group. */
  group: (values) => (bind) =>
    `select task_id as id from failed_tasks where group_id = any (${texts(bind, textsOf(values))})`,
  /** tasks_queue. One queue alone is a list of its own. */
  queue: (values) => (bind) => `select task_id as id from tasks where queue = any (${texts(bind, textsOf(values))})`,
  /** tasks_step. */
  step: (values, queues) => (bind) =>
    `select task_id as id from tasks where entered and step = any (${texts(bind, textsOf(values))}) and queue = any (${queues(bind)})`,
  state: (values, queues) => byStates(textsOf(values) as readonly TaskStatus[], queues),
} satisfies Record<string, Lookup>;

const isWhole = ({ text }: Pattern): boolean => text.length === 36;

const textsOf = (values: readonly Pattern[]): readonly string[] => values.map(({ text }) => text);

/** Those that are named, or all: an index that begins with the queue is looked into once for each. */
function queuesOf(all: Search, bind: Bind): string {
  const named = valuesOf(all, 'queue');
  return named ? texts(bind, named) : 'array(select name from queues)';
}

const byText =
  (column: string, values: readonly Pattern[], queues: Fragment): Fragment =>
  (bind) => {
    const one = ({ text, isPrefix }: Pattern): string =>
      `select task_id as id from tasks where queue = any (${queues(bind)}) and ` +
      (isPrefix ? `${column} like ${bind(beginning(text))}` : `${column} = ${bind(text)}`);
    return values.map(one).join(' union all ');
  };

/** Each column of named values has an index. */
const byName = (column: string, name: string, values: readonly Pattern[], bind: Bind): string =>
  `select task_id as id from tasks where ${values.map(({ text }) => `${column} @> ${bind(JSON.stringify({ [name]: text }))}`).join(' or ')}`;

/** Nearly every task may have succeeded, so no index has those. */
const byStates = (states: readonly TaskStatus[], queues: Fragment): Fragment | null =>
  states.includes('succeeded')
    ? null
    : (bind) => states.map((state) => byState(state, queues)(bind)).join(' union all ');

function byState(state: TaskStatus, queues: Fragment): Fragment {
  if (state === 'running') return running(queues);
  if (state === 'pending') return pending(queues);
  if (!isRare(state))
    return (bind) => `select task_id as id from tasks where failed_at is not null and queue = any (${queues(bind)})`;
  return (bind) =>
    `select task_id as id from tasks where queue = any (${queues(bind)}) and rare_state = ${bind(state)}`;
}

const running =
  (queues: Fragment): Fragment =>
  (bind) =>
    `select unnest(tasks) as id from leases where queue = any (${queues(bind)})`;

/**
 * They wait, are ready, by themselves or in an extent, are in a claim whose event is not applied yet, or cannot be read since
 * they were claimed. A segment has at most 64 events, and that of a position in an extent is an enqueued task's.
 */
const pending =
  (queues: Fragment): Fragment =>
  (bind) => {
    const here = `queue = any (${queues(bind)})`;
    return `select task_id as id from waiting where ${here}
    union all select task_id from ready where ${here} and task_id is not null
    union all select unnest(s.streams[greatest(r.from_seq - s.position, 0) + 1 : r.to_seq - s.position + 1])
      from ready r join segments s on s.position > r.from_seq - 64 and s.position <= r.to_seq where ${here} and r.task_id is null
    union all select stream from (select stream, scope as queue from reservations where lease is not null) as claimed where ${here}
    union all select task_id from quarantined`;
  };
