import type { Since } from '../kernel/since.js';

/** Fields whose values are compared as text. */
export const TEXT_FIELDS = [
  'id',
  'queue',
  'state',
  'kind',
  'key',
  'reference',
  'batch',
  'worker',
  'step',
  'actor',
  'build',
  'error',
  'group',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Fields with a name of their own behind a dot, such as `label.customer`. That of a payload is a path: `payload.order.id`. */
export const NAMED_FIELDS = ['label', 'payload'] as const;
export type NamedField = (typeof NAMED_FIELDS)[number];

/** The times of a task: when it was enqueued, and when it ended, also by a failure. */
export const TIMES = ['enqueued', 'ended'] as const;
export type TaskTime = (typeof TIMES)[number];

/** The other names of bounds of `enqueued`. */
export const BOUNDS = { since: '>', until: '<' } as const;

/** What can stand before a colon, for people. */
export const FIELDS: readonly string[] = [
  ...TEXT_FIELDS,
  ...NAMED_FIELDS.map((field) => `${field}.NAME`),
  ...Object.keys(BOUNDS),
];

/** In these, a `*` at the end of a value stands for any rest. */
export const PREFIXED: ReadonlySet<string> = new Set<TextField>(['key', 'reference', 'kind', 'worker']);

export interface Pattern {
  readonly text: string;
  /** Whether it is the beginning of the text alone. */
  readonly isPrefix: boolean;
}

/** Where a term is in its text, in UTF-16 units: from `at` up to, but without, `end`. */
export interface Span {
  readonly at: number;
  readonly end: number;
}

/** One of the values must be that of the field. A word must be in the reference, the key, the description or the error. */
export type Term = Span &
  (
    | { readonly field: TextField | 'word'; readonly values: readonly Pattern[] }
    | { readonly field: NamedField; readonly name: string; readonly values: readonly Pattern[] }
    | { readonly field: TaskTime; readonly bound: '>' | '<'; readonly than: Since }
  );

/** A task must match all of them. */
export type Search = readonly Term[];
