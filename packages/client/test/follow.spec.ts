import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type FollowedTask, FollowRefused, followTask } from '../src/follow.js';

const TASK = '0190b7a2-0000-7000-8000-000000000001';
const TOKEN = `wbf1.${TASK}.1800000000.signature`;

let server: Server;
let url: string;
/** What each request is answered with, one after the other. */
let answers: ((response: ServerResponse) => void)[];
let asked: IncomingHttpHeaders[];
beforeEach(async () => {
  [answers, asked] = [[], []];
  server = createServer((request, response) => {
    asked.push(request.headers);
    (answers.shift() ?? refuse(500))(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const messageOf = (position: string, ended: boolean): string =>
  `id: ${position}\nevent: Followed\ndata: ${JSON.stringify({ task: TASK, position, ended, events: [] })}\n\n`;

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

const refuse =
  (status: number, code = 'X') =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ code, detail: `refused with ${status}` }));
  };

async function seen(options = {}): Promise<FollowedTask[]> {
  const all: FollowedTask[] = [];
  for await (const one of followTask(`${url}/`, TOKEN, options)) all.push(one);
  return all;
}

const positions = async (): Promise<string[]> => (await seen()).map(({ position }) => position);

describe('whoever follows a task', () => {
  it('is done when it has ended, also while the connection stays open', async () => {
    answers = [(response) => stream(response).write(messageOf('5', false) + messageOf('7', true))];
    expect(await positions()).toEqual(['5', '7']);
    expect(asked).toMatchObject([{ authorization: `Bearer ${TOKEN}` }]);
  });

  it('connects again after a lost connection, from the last message on', async () => {
    answers = [
      (response) => stream(response).write(messageOf('5', false), () => response.destroy()),
      (response) => stream(response).end(': 5\nid: 5\n\n'),
      (response) => response.destroy(),
      (response) => stream(response).end(messageOf('8', true)),
    ];
    expect(await positions()).toEqual(['5', '8']);
    expect(asked.map((headers) => headers['last-event-id'])).toEqual([undefined, '5', '5', '5']);
  });

  it('tries again what may pass, and throws what does not', async () => {
    answers = [refuse(503, 'SHUTTING_DOWN'), refuse(429, 'TOO_MANY_STREAMS'), refuse(401, 'UNAUTHENTICATED')];
    await expect(seen()).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED', message: 'refused with 401' });
    expect(asked).toHaveLength(3);
  });

  it('is refused by something else than the service, too', async () => {
    answers = [(response) => response.writeHead(404).end('<html>')];
    await expect(seen()).rejects.toEqual(new FollowRefused(404, '', 'Expected a stream of the task, but got 404'));
  });

  it('stops without an error when its signal aborts', async () => {
    const left = new AbortController();
    answers = [(response) => stream(response).write(messageOf('5', false), () => left.abort())];
    expect((await seen({ signal: left.signal })).length).toBeLessThanOrEqual(1);
  });

  it('refuses a token that is none before it sends anything', async () => {
    await expect(followTask(url, 'wb_key').next()).rejects.toThrow(TypeError);
    expect(asked).toEqual([]);
  });
});

it.each(['follow', 'react'])(
  "needs nothing of Node, and nothing of the rest of the client's size: %s",
  async (entry) => {
    const { metafile, outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, `../src/${entry}.ts`)],
      bundle: true,
      write: false,
      minify: true,
      metafile: true,
      platform: 'browser',
      format: 'esm',
      external: ['react'],
    });
    const left = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(left).toEqual(entry === 'react' ? ['react'] : []);
    expect(outputFiles[0]!.contents.length).toBeLessThan(16_384);
  },
);
