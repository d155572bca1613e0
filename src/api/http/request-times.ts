import type { FastifyInstance } from 'fastify';
import { whenOver } from './when-over.js';
import { Histogram, Registry } from 'prom-client';

/** The last bucket is the longest time that a claim may wait. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** nginx's status for a client that left before the answer. */
const LEFT = 499;

/** How long this process takes to answer, by method, route and status. */
export class RequestTimes {
  readonly registry = new Registry();

  private readonly seconds = new Histogram({
    name: 'waybill_request_seconds',
    help: 'Time from a request to the end of its answer, in this process. Includes the time that a claim waits for a task.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  /** Times all further requests, including those whose client left before the answer. */
  watch(server: FastifyInstance): this {
    server.addHook('onRequest', ({ method, routeOptions }, reply, done) => {
      const began = performance.now();
      // All unknown paths count as one route, because anybody can make up another one.
      const route = routeOptions.url ?? 'none';
      // Fastify's `onResponse` reports complete answers only. It would miss streams, and slow answers whose clients
      // left.
      whenOver(reply, () => {
        const status = reply.raw.headersSent ? reply.statusCode : LEFT;
        this.seconds.observe({ method, route, status }, (performance.now() - began) / 1_000);
      });
      done();
    });
    return this;
  }
}
