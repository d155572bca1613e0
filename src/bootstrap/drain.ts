import type { FastifyInstance } from 'fastify';

/** Lets the requests in progress finish for `graceMs` when the server closes; new ones are answered 503 meanwhile. */
export function drainBeforeClose(server: FastifyInstance, graceMs: number): void {
  const inHand = new Set<object>();
  let idle: (() => void) | null = null;
  server.addHook('onRequest', (request, reply, done) => {
    inHand.add(request);
    // Not the hook `onResponse`, which does not run if the client went away.
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
