import type { FastifyInstance } from 'fastify';
import { whenOver } from '../api/http/when-over.js';

/** When the server closes, gives the requests in progress `graceMs` to finish and answers new ones with 503. */
export function drainBeforeClose(server: FastifyInstance, graceMs: number): void {
  const inHand = new Set<object>();
  let idle: (() => void) | null = null;
  server.addHook('onRequest', (request, reply, done) => {
    inHand.add(request);
    // The hook `onResponse` does not run if the client went away.
    whenOver(reply, () => {
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
