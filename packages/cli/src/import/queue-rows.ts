import type { PolicyChanges } from '@waybill/client';
import { NAME } from '../arguments.js';
import { Fields } from './fields.js';
import { type Row } from './read-rows.js';

/** A queue of the table. */
export interface ImportedQueue {
  readonly name: string;
  /** The ids by which items may name the queue instead of its name. */
  readonly ids: readonly string[];
  readonly description: string;
  readonly uniqueReference: 'always' | 'off';
  /** 0: none. */
  readonly retries: number;
  readonly isActive: boolean;
}

const COLUMNS =
  'id name description max_retries enforce_unique_reference is_active created_at updated_at external_id'.split(' ');

export function queueIn(row: Row): ImportedQueue {
  const fields = new Fields(row, COLUMNS);
  const name = fields.required('name');
  if (!NAME.test(name))
    fields.fail(
      "a name of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit",
      `it is '${name}'`,
    );
  return {
    name,
    ids: [fields.text('id'), fields.text('external_id')].filter((id) => id !== undefined),
    description: fields.text('description') ?? '',
    uniqueReference: fields.flag('enforce_unique_reference') ? 'always' : 'off',
    retries: fields.whole('max_retries', 0, Number.MAX_SAFE_INTEGER) ?? 0,
    isActive: fields.flag('is_active') ?? true,
  };
}

/**
 * Failed items are imported before the queue retries by itself, so that it leaves them as they are. Neither they nor
 * the robots that go on with the queue know classes.
 */
export const policyAtFirst = ({ uniqueReference }: ImportedQueue): PolicyChanges => ({
  uniqueReference,
  errorClasses: 'guessed',
  onFailure: 'fail',
});

/** Null if it is the one at first. The first attempt is no retry. */
export const policyAtLast = ({ retries }: ImportedQueue): PolicyChanges | null =>
  retries === 0 ? null : { onFailure: 'retry', retry: { maxAttempts: retries + 1 } };
