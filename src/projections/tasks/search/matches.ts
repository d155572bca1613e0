import type { Pattern, Term } from '../../../domain/search/term.js';
import { NAMED_VALUES, type TaskEntity } from '../task.entity.js';

/**
 * Whether a task has what a term asks for, as `conditionOf` says it of rows. What rows do not say, such as an actor, is not looked at. The
 * times of the term are instants.
 */
export function matches(task: TaskEntity, term: Term): boolean {
  if ('than' in term) return isInTime(task, term);
  if ('name' in term)
    return term.values.some(({ text }) => named(task[NAMED_VALUES[term.field].member], term.name) === text);
  return MATCHERS[term.field]?.(task, term.values) ?? true;
}

type Matcher = (task: TaskEntity, values: readonly Pattern[]) => boolean;

const MATCHERS: Readonly<Record<string, Matcher>> = {
  id: ({ taskId }, values) => values.some(({ text }) => (text.length === 36 ? taskId === text : taskId.endsWith(text))),
  queue: ({ queue }, values) => is(queue, values),
  state: ({ state }, values) => is(state, values),
  kind: ({ kind }, values) => is(kind, values),
  key: ({ key }, values) => is(key, values),
  reference: ({ reference }, values) => is(reference, values),
  worker: ({ worker }, values) => is(worker, values),
  batch: ({ batch }, values) => is(batch, values),
  step: ({ step, entered }, values) => entered && is(step, values),
  error: ({ error, errorClass }, values) => values.some(({ text }) => errorClass === text) || contains([error], values),
  word: ({ reference, key, description, error }, values) => contains([reference, key, description, error], values),
};

const is = (value: string | null, values: readonly Pattern[]): boolean =>
  value !== null && values.some(({ text, isPrefix }) => (isPrefix ? value.startsWith(text) : value === text));

/** Upper and lower case are alike. */
const contains = (columns: readonly (string | null)[], values: readonly Pattern[]): boolean =>
  columns.some((text) => values.some((value) => text?.toLowerCase().includes(value.text.toLowerCase())));

const named = (values: Readonly<Record<string, string>> | null, name: string): string | undefined =>
  values !== null && Object.hasOwn(values, name) ? values[name] : undefined;

const TIMES = {
  enqueued: ({ enqueuedAt }: TaskEntity) => enqueuedAt,
  ended: ({ finishedAt, failedAt }: TaskEntity) => finishedAt ?? failedAt,
} as const;

function isInTime(task: TaskEntity, { field, bound, than }: Extract<Term, { readonly than: unknown }>): boolean {
  const time = TIMES[field](task);
  if (time === null || !('at' in than)) return false;
  return bound === '>' ? time >= than.at : time < than.at;
}
