import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { writeSync } from 'node:fs';
import { runService } from '../../src/service.js';
import { type CrashPoint, lastWords, parseCrash } from './crash-points.js';
import { hookStatements, isAppend, isCheckpoint } from './statements.js';

// The service as it is, but for one point from outside at which it kills itself: `CRASH_AT=after-append:40`.

const crash = process.env.CRASH_AT ? parseCrash(process.env.CRASH_AT) : null;
let passages = 0;

/** Nothing of this process runs after the passage: no handler of a signal, no timer, no write. */
function pass(point: CrashPoint): void {
  if (crash?.point !== point || ++passages < crash.passage) return;
  writeSync(1, `${lastWords(crash)}\n`);
  process.kill(process.pid, 'SIGKILL');
  for (;;);
}

hookStatements({
  async alone(query, send) {
    const name = isAppend(query) ? 'append' : isCheckpoint(query) ? 'checkpoint' : null;
    if (name) pass(`before-${name}`);
    const result = await send();
    if (name) pass(`after-${name}`);
    return result;
  },
  within(query, send) {
    if (isAppend(query)) pass('before-append');
    return send();
  },
  async commit(queries, send) {
    const appends = queries.some(isAppend);
    const moves = queries.some(isCheckpoint);
    if (moves) pass('before-checkpoint');
    const result = await send();
    if (appends) pass('after-append');
    if (moves) pass('after-checkpoint');
    return result;
  },
});

const isCommand = ({ method, url }: FastifyRequest): boolean => method === 'POST' && url.startsWith('/v1/');

const create = NestFactory.create.bind(NestFactory) as (...args: unknown[]) => Promise<NestFastifyApplication>;
NestFactory.create = (async (...args: unknown[]) => {
  const app = await create(...args);
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onSend', async (request: FastifyRequest) => {
    if (isCommand(request)) pass('before-answer');
  });
  server.addHook('onResponse', async (request: FastifyRequest) => {
    if (isCommand(request)) pass('after-answer');
  });
  return app;
}) as typeof NestFactory.create;

await runService(process.env);
