import { createServer } from 'node:net';
import { triedToListen } from '../../src/bootstrap/listening.js';

/** Below those that systems assign. */
const [FIRST, AFTER_LAST, BLOCK] = [20_000, 32_000, 100];

/** The spec files of a worker share its block. */
const OWN_BLOCK = Symbol.for('waybill.test.block-of-ports');
const worker = globalThis as { [OWN_BLOCK]?: Promise<number> };

/**
 * A free port that no other worker of any run on this machine uses, so that nobody takes it while a service is down. A worker keeps
 * its block by listening on the first port of it.
 */
export async function freePort(): Promise<number> {
  const first = await (worker[OWN_BLOCK] ??= takeBlock());
  for (;;) {
    const port = first + 1 + Math.floor(Math.random() * (BLOCK - 1));
    if ((await triedToListen('127.0.0.1', port)) === null) return port;
  }
}

async function takeBlock(): Promise<number> {
  for (let first = FIRST; first < AFTER_LAST; first += BLOCK) if (await keeps(first)) return first;
  throw new Error(`Expected a free port among ${FIRST}, ${FIRST + BLOCK}, and so on, but all are taken`);
}

/** Whether this process listens there from now on. */
const keeps = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const keeper = createServer((socket) => socket.destroy());
    keeper.once('error', () => resolve(false));
    keeper.listen(port, '127.0.0.1', () => resolve(true)).unref();
  });
