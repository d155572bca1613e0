import type { Since } from '../../../domain/kernel/since.js';
import type { Pattern, Term } from '../../../domain/search/term.js';
import { beginning, type Bind, containing, type Fragment, texts } from '../../kernel/fragment.js';
import { NAMED_VALUES } from '../task.entity.js';

/** The condition on a row `t` of tasks, in the names of `TaskEntity`; null if rows do not say it. */
export function conditionOf(term: Term): Fragment | null {
  if ('than' in term) return (bind) => timeCondition(term, bind);
  if (term.field === 'actor' || term.field === 'build') return null;
  if ('name' in term) {
    const column = `t.${NAMED_VALUES[term.field].member}`;
    return (bind) => anyOf(term.values, ({ text }) => nameHas(column, term.name, text, bind));
  }
  return (bind) => CONDITIONS[term.field as keyof typeof CONDITIONS](term.values, bind);
}

type Condition = (values: readonly Pattern[], bind: Bind) => string;

const CONDITIONS = {
  id: (values, bind) => anyOf(values, ({ text }) => idIs(text, bind)),
  queue: (values, bind) => columnIs('t.queue', values, bind),
  state: (values, bind) => columnIs('t.state', values, bind),
  kind: (values, bind) => columnIs('t.kind', values, bind),
  key: (values, bind) => columnIs('t.key', values, bind),
  reference: (values, bind) => columnIs('t.reference', values, bind),
  worker: (values, bind) => columnIs('t.worker', values, bind),
  batch: (values, bind) => columnIs('t.batch', values, bind),
  step: (values, bind) => `(${columnIs('t.step', values, bind)} and t.entered)`,
  group: (values, bind) =>
    `t.taskId in (select task_id from failed_tasks where group_id = any (${texts(bind, textsOf(values))}))`,
  error: (values, bind) => {
    const classes = `t.errorClass = any (${texts(bind, textsOf(values))})`;
    return `(${classes} or ${contains(['t.error'], values, bind)})`;
  },
  word: (values, bind) => contains(['t.reference', 't.key', 't.description', 't.error'], values, bind),
} satisfies Record<string, Condition>;

const textsOf = (values: readonly Pattern[]): readonly string[] => values.map(({ text }) => text);

const anyOf = (values: readonly Pattern[], condition: (value: Pattern) => string): string =>
  `(${values.map(condition).join(' or ')})`;

const columnIs = (column: string, values: readonly Pattern[], bind: Bind): string =>
  anyOf(values, ({ text, isPrefix }) =>
    isPrefix ? `${column} like ${bind(beginning(text))}` : `${column} = ${bind(text)}`,
  );

/** Upper and lower case are alike. */
function contains(columns: readonly string[], values: readonly Pattern[], bind: Bind): string {
  const patterns = texts(
    bind,
    values.map(({ text }) => containing(text)),
  );
  return `(${columns.map((column) => `${column} ilike any (${patterns})`).join(' or ')})`;
}

const idIs = (text: string, bind: Bind): string =>
  text.length === 36 ? `t.taskId = cast(${bind(text)} as uuid)` : `right(cast(t.taskId as text), 8) = ${bind(text)}`;

const nameHas = (column: string, name: string, value: string, bind: Bind): string =>
  `${column} @> ${bind(JSON.stringify({ [name]: value }))}`;

const TIMES = { enqueued: 't.enqueuedAt', ended: 'coalesce(t.finishedAt, t.failedAt)' } as const;

function timeCondition({ field, bound, than }: Extract<Term, { readonly than: Since }>, bind: Bind): string {
  const time =
    'at' in than
      ? `cast(${bind(than.at.toISOString())} as timestamptz)`
      : `now() - cast(${bind(than.ago)} as float8) * interval '1 millisecond'`;
  return `${TIMES[field]} ${bound === '>' ? '>=' : '<'} ${time}`;
}
