import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createWaybill } from '@waybill/client';
import { once } from 'node:events';
import { RobotApiModule } from './robot-api.module.js';

const HELP = `WAYBILL_URL=http://127.0.0.1:3000 npm run example:robot-api

Serves the routes of a queue system for robots over a Waybill service, at PORT (default: 3100) of this machine.
A request with an API key (X-API-Key, or Authorization: Bearer) acts by it. One without acts by the key in WAYBILL_API_KEY, if there is one.`;

/** Serves until it is interrupted. Returns the exit code. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { WAYBILL_URL: url, WAYBILL_API_KEY: apiKey, PORT: port = '3100' } = env;
  if (!url || args.length > 0) {
    process.stdout.write(`${HELP}\n`);
    return args.includes('--help') ? 0 : 2;
  }
  const waybill = createWaybill({ url, actor: 'robot-api', ...(apiKey && { apiKey }) });
  const app = await NestFactory.create(
    RobotApiModule.over(waybill, (key) => createWaybill({ url, apiKey: key })),
    new FastifyAdapter(),
    {
      logger: ['error', 'warn'],
    },
  );
  await app.listen(Number(port), '127.0.0.1');
  process.stdout.write(`  Robots' routes at ${await app.getUrl()}/api, over ${url}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await app.close();
  return 0;
}
