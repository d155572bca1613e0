import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ByteBudget } from '../../domain/kernel/byte-budget.js';
import { ApiError } from '../problems/api-error.js';
import { problemOf } from '../problems/problem-of-error.js';
import { documentOf } from './send-problem.js';
import type { ClientTimes } from './client-times.js';

/** Smaller answers are not counted: a connection has one at a time, and they go out at once. */
const LARGE = 64 * 1024;

/**
 * Counts the bytes of large answers until their clients have taken them. What a query found is refused if it does not
 * fit, because the client can ask again. The answer to a command is sent in any case: it was carried out.
 */
export class AnswerBudget {
  private readonly budget: ByteBudget;

  constructor(
    most: number,
    private readonly times: ClientTimes,
  ) {
    this.budget = new ByteBudget(most);
  }

  watch(server: FastifyInstance): void {
    server.addHook<unknown>('onSend', (request, reply, payload, done) => {
      done(null, typeof payload === 'string' && payload.length > LARGE ? this.take(request, reply, payload) : payload);
    });
  }

  /** As bytes, which do not take room in the heap while they wait. */
  private take(request: FastifyRequest, reply: FastifyReply, text: string): Buffer | string {
    const bytes = Buffer.from(text);
    if (!this.budget.take(bytes.length, request.method === 'GET' ? this.budget.most : Infinity))
      return refused(request, reply, bytes.length, this.budget.most);
    const slow = setTimeout(() => reply.raw.destroy(), this.times.takenMs);
    reply.raw.setTimeout(this.times.stalledMs, () => reply.raw.destroy());
    reply.raw.once('close', () => {
      clearTimeout(slow);
      this.budget.giveBack(bytes.length);
    });
    return bytes;
  }
}

function refused(request: FastifyRequest, reply: FastifyReply, bytes: number, most: number): string {
  const error = new ApiError(
    'OVERLOADED',
    `Expected the answers that clients have not taken yet to have at most ${most} bytes, but with the ${bytes} of this one they have more: try again later`,
    { 'retry-after': '1' },
  );
  const { problem, headers } = problemOf(error);
  reply.code(problem.status).headers(headers).type('application/problem+json');
  return documentOf(problem, request);
}
