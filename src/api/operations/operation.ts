import type { Permission } from '../access/api-keys.js';
import type { Answer } from './answer.js';
import type { Receipt } from '../../application/kernel/command-context.js';
import type { StreamFormat } from './stream-format.js';
import type { Validator } from '../input/validator.js';

/** What callers of every kind need to know of an operation. HTTP, callers in process and transactions derive from it. */
export interface Operation {
  /** The name of the controller's method, and the `operationId` of the document. */
  readonly id: string;
  readonly controller: abstract new (...args: never[]) => object;
  /** An API key needs any of them. */
  readonly permissions: readonly Permission[];
  /** What the path names. */
  readonly on: 'queue' | 'task' | null;
  readonly body: Validator<object> | null;
  readonly query: Validator<object> | null;
  /**
   * How a repetition meets the first request: by the request's `Idempotency-Key`, or by an id or a token of its own. A query
   * changes nothing.
   */
  readonly idempotency: 'key' | 'own' | 'none';
  /** It may be one command of a transaction. */
  readonly transaction: boolean;
  /** `If-Match` names the version of the policy that the caller has seen, or would be passed over. */
  readonly ifMatch: 'required' | 'refused' | null;
  /** Comes by the thousand: bodies are checked by a compiled check; in process the answer is not copied. A copy of a claimed task costs as much as claiming it. */
  readonly hot: boolean;
  /** It answers with pages of events, which HTTP sends in this format. */
  readonly stream: StreamFormat | null;
  /** The answer of a command that was recorded, or found to be done. */
  readonly answerTo: (receipt: Receipt) => Answer<unknown>;
}

const OPERATIONS = new Map<string, Operation>();

/** Called by the decorators of the controllers' methods. */
export function declareOperation(operation: Operation): void {
  if (OPERATIONS.has(operation.id)) throw new Error(`Expected one operation '${operation.id}', but there are two`);
  OPERATIONS.set(operation.id, operation);
}

/** Throws for an operation that no controller declares. */
export function operationNamed(id: string): Operation {
  const operation = OPERATIONS.get(id);
  if (!operation) throw new Error(`Expected an operation '${id}', but no controller declares it`);
  return operation;
}

/** The ids of those that a transaction may contain. The controllers that declare them must have been loaded. */
export const transactionOperations = (): readonly string[] =>
  [...OPERATIONS.values()].filter(({ transaction }) => transaction).map(({ id }) => id);
