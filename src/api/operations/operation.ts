import type { Permission } from '../access/api-keys.js';
import type { Answer } from './answer.js';
import type { Receipt } from '../../application/kernel/command-context.js';
import type { StreamFormat } from './stream-format.js';
import type { SubjectKind } from './subjects.js';
import type { Validator } from '../input/validator.js';

/** Ids of tasks and batches. */
export interface Ids {
  readonly tasks: readonly string[];
  readonly batches: readonly string[];
}

/** A part of a request that names tasks and batches by id. */
export interface Naming {
  task?: string | undefined;
  batch?: string | undefined;
  readonly after?: readonly Naming[] | undefined;
}

/**
 * What a call reaches: queues, tasks and batches, what the token in the request was given out for, or anything. Whoever
 * has a token was allowed to claim from its queue.
 */
export type Reach = (Ids & { readonly queues: readonly string[] }) | 'leased' | 'anything';

/** The declaration of an operation. HTTP, callers in process and transactions all derive from it. */
export interface Operation {
  /** The name of the controller's method, which is also the `operationId` in the document. */
  readonly id: string;
  readonly controller: abstract new (...args: never[]) => object;
  /** An API key needs any one of these. */
  readonly permissions: readonly Permission[];
  /** For keys whose permission is for some queues only. */
  readonly reach: (call: { readonly on: string; readonly body: unknown; readonly query: unknown }) => Reach;
  /** The parts that name tasks and batches beside the path. */
  readonly names: (call: { readonly body: unknown; readonly query: unknown }) => readonly Naming[];
  /** Renames the queues that the request names beside its path. */
  readonly renameQueues: (
    call: { readonly body: unknown; readonly query: unknown },
    name: (queue: string) => string,
  ) => void;
  /** How many tasks a call submits, for the quotas of API keys. */
  readonly submits: (call: { readonly body: unknown }) => number;
  /** What the path identifies. */
  readonly on: SubjectKind | null;
  readonly body: Validator<object> | null;
  readonly query: Validator<object> | null;
  /**
   * What identifies a repeated request: its `Idempotency-Key` (`key`), an id or a token of its own (`own`), or each of
   * them (`either`). A query needs nothing, because it changes nothing. Only `key` and `either` read the header.
   */
  readonly idempotency: 'key' | 'either' | 'own' | 'none';
  /** Whether it may be a command of a transaction. */
  readonly transaction: boolean;
  /** Whether it may be previewed. */
  readonly preview: boolean;
  /**
   * Whether `If-Match` must name the version of the policy that the caller has seen. `refused` if the header would have
   * no effect; null if it is ignored.
   */
  readonly ifMatch: 'required' | 'refused' | null;
  /**
   * Called by the thousand: a compiled check validates bodies, and in process the answer is not copied, because copying
   * a claimed task costs as much as claiming it.
   */
  readonly hot: boolean;
  /** Whether its answer may take long, because it waits for something to happen. */
  readonly waits: boolean;
  /** The format in which HTTP sends the pages of events that the operation answers with; null for other operations. */
  readonly stream: StreamFormat | null;
  /** Makes the answer of a command from its receipt. */
  readonly answerTo: (receipt: Receipt) => Answer<unknown>;
}

const OPERATIONS = new Map<string, Operation>();

/** Called by the decorators of the controllers' methods. */
export function declareOperation(operation: Operation): void {
  if (OPERATIONS.has(operation.id)) throw new Error(`Expected one operation '${operation.id}', but there are two`);
  OPERATIONS.set(operation.id, operation);
}

/** Throws if no controller declares the operation. */
export function operationNamed(id: string): Operation {
  const operation = OPERATIONS.get(id);
  if (!operation) throw new Error(`Expected an operation '${id}', but no controller declares it`);
  return operation;
}

/**
 * The ids of the operations that a transaction may contain. Call it after the controllers that declare them are loaded.
 */
export const transactionOperations = (): readonly string[] =>
  [...OPERATIONS.values()].filter(({ transaction }) => transaction).map(({ id }) => id);

/** Those that may be previewed. The same holds of them. */
export const previewedOperations = (): readonly string[] =>
  [...OPERATIONS.values()].filter(({ preview }) => preview).map(({ id }) => id);
