import { UUID_TEXT } from '../../domain/kernel/patterns.js';
import { ErasureNotDone } from '../../projections/seals/get-erasure-certificate.query.js';
import { ProofNeedsPrivate } from '../../projections/seals/get-task-proof.query.js';
import { NotSealed } from '../../projections/seals/sealed-up-to.js';
import { InvalidInput } from '../input/invalid-input.js';
import { ApiError } from '../problems/api-error.js';
import type { Call } from './call.js';
import type { Scopes } from './scopes.js';

const UUIDS = new RegExp(UUID_TEXT, 'g');

/** The text of a segment has what was appended together, which may be of several queues. Throws `FORBIDDEN`. */
export async function assertSeesAll(
  segments: readonly { readonly text: string }[],
  scopes: Scopes,
  call: Call,
): Promise<void> {
  const ids = new Set(segments.flatMap(({ text }) => text.match(UUIDS) ?? []));
  if ((await scopes.outside([...ids], call)).size === 0) return;
  const detail =
    'Expected an API key that may read all queues of what was appended together, but some are outside of its own';
  throw new ApiError('FORBIDDEN', detail);
}

/** What lacks of a proof, as the caller is told. */
export function asProblem(error: unknown): never {
  if (error instanceof NotSealed) throw new ApiError('NOT_SEALED', error.message, { 'retry-after': '5' });
  if (error instanceof ErasureNotDone) throw new ApiError('ERASURE_NOT_DONE', error.message);
  if (error instanceof ProofNeedsPrivate)
    throw new InvalidInput([{ pointer: '#/query/private', detail: error.message }]);
  throw error;
}
