import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import express, { type Express } from 'express';
import fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddedWaybill } from '../../src/index.js';

type Mounted = Pick<EmbeddedWaybill, 'serve'>;

/** The login of the application: a session of its own. */
const personIn = ({ headers }: Pick<IncomingMessage, 'headers'>): string | null =>
  /session=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? null;

/** An application that serves Waybill below `/ops`. */
export interface Host {
  readonly url: string;
  close(): Promise<unknown>;
}

/** A server at a port of its own. */
export async function listening(server: Server): Promise<Host> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: async () => void (server.closeAllConnections(), server.close()) };
}

async function inExpress(waybill: Mounted): Promise<Host> {
  const app: Express = express();
  app.use('/ops', (request, response) => waybill.serve(request, response, personIn(request)));
  app.use(express.json());
  app.get('/', (_, response) => void response.send('the application'));
  return listening(createServer(app));
}

async function inFastify(waybill: Mounted): Promise<Host> {
  const app: FastifyInstance = fastify();
  app.get('/', async () => 'the application');
  await app.register(
    async (ops) => {
      ops.addHook('onRequest', async (request, reply) => {
        reply.hijack();
        waybill.serve(request.raw, reply.raw, personIn(request));
      });
      for (const path of ['/', '/*']) ops.all(path, async () => null);
    },
    { prefix: '/ops' },
  );
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}

@Controller()
class Application {
  @Get()
  home(): string {
    return 'the application';
  }
}

@Module({ controllers: [Application] })
class ApplicationModule {}

async function inNest(waybill: Mounted): Promise<Host> {
  const app = await NestFactory.create<NestFastifyApplication>(ApplicationModule, new FastifyAdapter(), {
    logger: false,
  });
  app.use('/ops', (request: IncomingMessage, response: ServerResponse) =>
    waybill.serve(request, response, personIn(request)),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { url: await app.getUrl(), close: () => app.close() };
}

/** Applications with a login of their own: a cookie `session` names the person. */
export const HOSTS = [
  ['Express', inExpress],
  ['Fastify', inFastify],
  ['Nest', inNest],
] as const;
