import type { TaskFilter as OfClient } from '../../packages/client/src/task-list.js';
import type { BulkOperationFilter } from '../../src/api/dto/bulk-operation.dto.js';
import type { PastPageQuery, TaskQuery } from '../../src/api/dto/query.dto.js';
import type { TaskFilter } from '../../src/projections/tasks/tasks.queries.js';

/** What the read side filters tasks by. Callers write the search as text. */
type Fields = Exclude<keyof TaskFilter, 'search'> | 'q';

type InOneOf<A, B> = Exclude<A, B> | Exclude<B, A>;

/** Compiles only if nothing is in one of them alone. */
type None<Found extends never> = Found;

/** The client, a list and an operation name the same fields. An operation may not mean tasks of the service itself. */
export type Filters = [
  None<InOneOf<keyof OfClient, Fields>>,
  None<InOneOf<Exclude<keyof TaskQuery, keyof PastPageQuery>, Fields>>,
  None<InOneOf<keyof BulkOperationFilter | 'internal', Fields>>,
];
