import { BATCH_STATUSES, type BatchStatus } from '../batch/batch.events.js';
import { parse } from './parse.js';
import { isIdOrTail } from './term.js';
import type { TermOf, Vocabulary } from './vocabulary.js';

const TEXTS = ['id', 'name', 'state', 'actor'] as const;
type BatchField = (typeof TEXTS)[number];

const NAMED = ['label'] as const;

/** When a batch was created, and when it ended last. */
const TIMES = ['created', 'ended'] as const;

const BATCH_VOCABULARY: Vocabulary<BatchField, 'label', (typeof TIMES)[number]> = {
  texts: TEXTS,
  named: NAMED,
  times: TIMES,
  prefixed: new Set<BatchField>(['name']),
  expected: (field, value) => {
    if (field === 'state' && !BATCH_STATUSES.includes(value as BatchStatus))
      return `one of the states ${BATCH_STATUSES.join(', ')}`;
    return field === 'id' && !isIdOrTail(value) ? 'an id in lower case, or its last 8 characters,' : null;
  },
};

/** A word must be in the name or the description. The actor is who created the batch. */
export type BatchTerm = TermOf<BatchField, 'label', (typeof TIMES)[number]>;

/** A batch must match all of them. */
export type BatchSearch = readonly BatchTerm[];

/** Reads a search such as `name:night* label.run:7 since:2d`. Throws `SearchError`. */
export const parseBatchSearch = (text: string): BatchSearch => parse(text, BATCH_VOCABULARY);
