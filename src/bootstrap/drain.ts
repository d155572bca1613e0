import type { FastifyInstance } from 'fastify';

/** Lets the requests in hand finish for `graceMs` when the server closes; new ones are answered 503 meanwhile. */
export function drainBeforeClose(server: FastifyInstance, graceMs: number): void {
  const inHand = new Set<object>();
  let idle: (() => void) | null = null;
  server.addHook('onRequest', (request, reply, done) => {
    inHand.add(request);
    // Not the hook `onResponse`: that one is not told of a client that went away.
    reply.raw.once('close', () => {
      inHand.delete(request);
      if (inHand.size === 0) idle?.();
    });
    done();
  });
  server.addHook('preClose', async () => {
    if (inHand.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  });
}
