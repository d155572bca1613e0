import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FairRoom } from '../../domain/kernel/fair-room.js';
import { holderOf } from '../access/holder.js';
import { ApiError } from '../problems/api-error.js';
import { problemOf } from '../problems/problem-of-error.js';
import type { ClientTimes } from './client-times.js';
import { documentOf } from './send-problem.js';
import { whenOver } from './when-over.js';

/** Smaller answers are not counted: a connection has one at a time, and they go out at once. */
const LARGE = 64 * 1024;

/**
 * Counts the bytes of large answers until their clients have taken them. What a query found is refused if it does not
 * fit, because the client can ask again. The answer to a command is sent in any case: it was carried out.
 */
export class AnswerBudget {
  constructor(
    private readonly room: FairRoom,
    private readonly times: ClientTimes,
  ) {}

  watch(server: FastifyInstance): void {
    server.addHook<unknown>('onSend', (request, reply, payload, done) => {
      done(null, typeof payload === 'string' && payload.length > LARGE ? this.take(request, reply, payload) : payload);
    });
  }

  /** As bytes, which do not take room in the heap while they wait. */
  private take(request: FastifyRequest, reply: FastifyReply, text: string): Buffer | string {
    const bytes = Buffer.from(text);
    const holder = holderOf(request);
    if (request.method !== 'GET') this.room.spend(holder, bytes.length);
    else {
      const lack = this.room.take(holder, bytes.length);
      if (lack) return refused(request, reply, overloaded(request, this.room, lack === 'share'));
    }
    const slow = setTimeout(() => reply.raw.destroy(), this.times.takenMs);
    reply.raw.setTimeout(this.times.stalledMs, () => reply.raw.destroy());
    whenOver(reply, () => {
      clearTimeout(slow);
      this.room.giveBack(holder, bytes.length);
    });
    return bytes;
  }
}

function refused(request: FastifyRequest, reply: FastifyReply, error: ApiError): string {
  const { problem, headers } = problemOf(error);
  reply.code(problem.status).headers(headers).type('application/problem+json');
  return documentOf(problem, request);
}

function overloaded(request: FastifyRequest, { most }: FairRoom, isShare: boolean): ApiError {
  const [whose, limit] = isShare
    ? [` of ${holderOf(request)} have`, `half of what others leave of ${most}`]
    : [' have', String(most)];
  return new ApiError(
    'OVERLOADED',
    `Expected the answers that clients${whose} not taken yet to have at most ${limit} bytes, but with this one they have more: take them, or try again later`,
    { 'retry-after': '1' },
  );
}
