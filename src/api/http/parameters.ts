import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerFrom, type Caller } from '../caller.js';

/** Who asks: from the request's headers, and by the key that let it in. */
export const RequestCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { headers, id, principal } = context.switchToHttp().getRequest<FastifyRequest>();
  return callerFrom({ ...headers, 'x-request-id': id }, principal);
});

/** Aborts when the client is gone before it was answered. */
export const ClientAbortSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
});
