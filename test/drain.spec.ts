import { expect, it } from '@jest/globals';
import { createHttpAdapter } from '../src/api/bootstrap.js';
import { drainBeforeClose } from '../src/bootstrap/drain.js';

/** Longer than any test may take, so whatever waits for it fails. */
const GRACE_MS = 600_000;

async function serve() {
  const server = createHttpAdapter().getInstance();
  drainBeforeClose(server, GRACE_MS);
  const arrived = deferred();
  const answer = deferred();
  server.get('/', async () => {
    arrived.resolve();
    await answer.promise;
    return 'answered';
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { server, url, arrived: arrived.promise, answer };
}

it('lets a request in progress finish', async () => {
  const { server, url, arrived, answer } = await serve();
  const asked = fetch(url).then((response) => response.text());
  await arrived;
  const closed = server.close();
  answer.resolve();
  expect(await asked).toBe('answered');
  await closed;
});

it('does not wait for a client that went away', async () => {
  const { server, url, arrived, answer } = await serve();
  const leaving = new AbortController();
  const asked = fetch(url, { signal: leaving.signal });
  await arrived;
  leaving.abort();
  await expect(asked).rejects.toThrow('aborted');
  await server.close();
  expect(server.server.listening).toBe(false);
  answer.resolve();
});

function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

it('does not wait forever for a request to arrive', () => {
  const { requestTimeout, headersTimeout } = createHttpAdapter().getInstance().server;
  expect([requestTimeout, headersTimeout]).toEqual([30_000, 30_000]);
});
