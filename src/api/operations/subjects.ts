import type { Category } from '../../domain/aggregates.js';
import { QUEUE_NAME } from '../dto/limits.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { GROUP_ID } from '../../domain/task/failures.events.js';
import { BUILT_ANEW } from '../../projections/read-models.js';
import { pathParameter } from '../input/query-validator.js';

/** How the path of an operation names an aggregate. */
interface Subject {
  /** The parameter of the path. */
  readonly parameter: string;
  /** What may stand in the place of a name. */
  readonly about?: string;
  /** The value, if it is valid. Throws `InvalidInput` otherwise. */
  checked(value: string): string;
}

const named = (kind: Category, about?: string): Subject => ({
  parameter: kind,
  ...(about !== undefined && { about }),
  checked: (value) =>
    pathParameter(kind, value, (name) => QUEUE_NAME.test(name), `the name of a ${kind}: ${QUEUE_NAME.words}`),
});

const identified: Subject = {
  parameter: 'id',
  checked: (value) => pathParameter('id', value, isUuid, 'a UUID in lower case'),
};

const failureGroup: Subject = {
  parameter: 'group',
  checked: (value) =>
    pathParameter('group', value, (id) => GROUP_ID.test(id), 'the id of a group of failures, such as g3fa9c01d22b7e48'),
};

const projection: Subject = {
  parameter: 'projection',
  about: `One of ${BUILT_ANEW.map((name) => `\`${name}\``).join(', ')}.`,
  checked: (value) =>
    pathParameter('projection', value, (name) => BUILT_ANEW.includes(name), `one of '${BUILT_ANEW.join("', '")}'`),
};

/** Null: no path names one. */
export const SUBJECTS = {
  task: identified,
  queue: named('queue', 'The name of a queue, or its id.'),
  consumer: null,
  trigger: named('trigger'),
  hold: named('hold'),
  resource: named('resource'),
  system: null,
  batch: identified,
  attendance: null,
  build: null,
  failure: failureGroup,
  notary: null,
  view: named('view'),
} satisfies { readonly [C in Category]: Subject | null };

/** What paths name that is no aggregate. */
const OTHERS = { projection } satisfies { readonly [kind: string]: Subject };

/** What the path of an operation can name. */
export type SubjectKind =
  | { readonly [C in Category]: (typeof SUBJECTS)[C] extends null ? never : C }[Category]
  | keyof typeof OTHERS;

const KINDS = { ...SUBJECTS, ...OTHERS };

export const subjectOf = (kind: SubjectKind): Subject => KINDS[kind];

const PARAMETERS: readonly string[] = Object.values(KINDS).flatMap((subject) => subject?.parameter ?? []);

/** The parameters of a path, of which an operation has at most one. */
export type PathParameters = Readonly<Record<string, string | undefined>>;

export function namedIn(parameters: PathParameters): string {
  for (const parameter of PARAMETERS) {
    const value = parameters[parameter];
    if (value !== undefined) return value;
  }
  return '';
}
