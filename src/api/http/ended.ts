import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '../access/api-keys.js';
import { ClientGone } from '../operations/client-gone.js';
import { ApiError } from '../problems/api-error.js';
import { whenOver } from './when-over.js';

/**
 * Aborts when the request is over, and when its API key or its follow token ends or changes: then with the error to answer with. What lasts
 * must not outlast the key that it was begun with.
 */
export function endOf(keys: ApiKeys | null, request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const over = new AbortController();
  const unwatch = watched(keys, request, () => over.abort(keyEnded()));
  whenOver(reply, () => {
    unwatch();
    over.abort(reply.raw.writableFinished ? ANSWERED : new ClientGone());
  });
  return over.signal;
}

/** Returns a function that stops watching. */
function watched(keys: ApiKeys | null, { principal, follower }: FastifyRequest, end: () => void): () => void {
  if (principal && keys) return keys.watch(principal, end);
  if (!follower) return () => undefined;
  const timer = setTimeout(end, follower.expiresAt - Date.now()).unref();
  return () => clearTimeout(timer);
}

/** One for all requests: without a reason, each claim would make an error with its stack. */
const ANSWERED = new Error('The request is answered');

const keyEnded = (): ApiError =>
  new ApiError(
    'UNAUTHENTICATED',
    'Expected an API key or a follow token that stays valid, but it was revoked, changed, or has expired',
    {
      'www-authenticate': 'Bearer',
    },
  );
