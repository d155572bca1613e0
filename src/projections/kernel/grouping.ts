import { createHash } from 'node:crypto';
import { fingerprint, type FailureRule } from '../../domain/kernel/fingerprint.js';
import type { TaskError } from '../../domain/task/task.events.js';

/** The group of an error: the letter and 15 hexadecimal digits of a hash of its fingerprint, of which the text cannot be told. */
export type GroupOf = (error: TaskError) => string;

/** By the rules of the configuration, for queries. */
export abstract class Grouping {
  abstract groupOf(error: TaskError): string;
}

/** By the rules of the configuration. The same error has the same group as long as they stay the same, and an erased one always the one that it had. */
export const groupBy =
  (rules: readonly FailureRule[] = []): GroupOf =>
  (error) =>
    error.group ?? `g${createHash('sha256').update(fingerprint(error, rules)).digest('hex').slice(0, 15)}`;
