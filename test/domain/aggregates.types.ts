import type { Category } from '../../src/domain/aggregates.js';
import type { ROWS } from '../../src/infrastructure/dispatch-index/aggregate-rows.js';
import type { MODEL_OF } from '../../src/projections/kernel/aggregate-models.js';
import type { SUBJECTS } from '../../src/api/operations/subjects.js';

/** Compiles only for a record that has an entry of its own for every kind of aggregate (of `Of`), and for nothing else. */
type Total<R, Of = Category> = [Of, keyof R] extends [keyof R, Of] ? (object extends R ? never : true) : never;

/** Tasks have rules of their own for their rows. */
type WithRows = { readonly [C in Category]: (typeof MODEL_OF)[C] extends null | 'tasks' ? never : C }[Category];

// The compiler names the record here if somebody makes one of them partial, or declares it by text: then an aggregate that lacks
// there would compile.
true satisfies Total<typeof ROWS, WithRows>;
true satisfies Total<typeof MODEL_OF>;
true satisfies Total<typeof SUBJECTS>;

/** The compiler's own word that a record without one of them is refused. */
type Lacking = Omit<typeof MODEL_OF, 'resource'>;
// @ts-expect-error 'resource' lacks
true satisfies Total<Lacking>;
// @ts-expect-error a partial record has no entry for sure
true satisfies Total<Partial<typeof MODEL_OF>>;
// @ts-expect-error text names no aggregate
true satisfies Total<Readonly<Record<string, string>>>;
