import type { FastifyInstance } from 'fastify';
import { Histogram, Registry } from 'prom-client';

/** Up to the longest that a claim may wait. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** nginx's, for a client that left before there was an answer. */
const LEFT = 499;

/** How long this process took to answer, by method, route and status. */
export class RequestTimes {
  readonly registry = new Registry();

  private readonly seconds = new Histogram({
    name: 'waybill_request_seconds',
    help: 'From a request to the end of its answer, in this process; what a claim waits for a task is in it.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  /** Times all further requests, including those whose client left before the answer. */
  watch(server: FastifyInstance): this {
    server.addHook('onRequest', ({ method, routeOptions }, reply, done) => {
      const began = performance.now();
      // A path that leads nowhere is one route: anybody can make up another.
      const route = routeOptions.url ?? 'none';
      // Fastify's `onResponse` hears of whole answers only: no stream has one, and the slowest are not waited for.
      reply.raw.once('close', () => {
        const status = reply.raw.headersSent ? reply.statusCode : LEFT;
        this.seconds.observe({ method, route, status }, (performance.now() - began) / 1_000);
      });
      done();
    });
    return this;
  }
}
