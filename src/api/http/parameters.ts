import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerFrom, type Caller } from '../caller.js';

/** Who asks: from the request's headers. */
export const From = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { headers, id } = context.switchToHttp().getRequest<FastifyRequest>();
  return callerFrom({ ...headers, 'x-request-id': id });
});

/** Aborts when the client is gone before it was answered. */
export const Gone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
});
