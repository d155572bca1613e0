import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildTestProcesses, processFile } from './test-processes.mjs';

const FIXTURE = [processFile('test/support/eventstoredb/main'), '0'];

/** The environment of Jest with the events on the server of this address or, without one, on test fixtures. */
export const eventsElsewhere = (url) => (url ? { EVENT_STORE_URL: url } : { EVENT_STORE_FIXTURES: 'yes' });

/** The environment in which fixtures behave like a server of 25.1, and name its client. */
export const KURRENT = { FIXTURE_SCHEME: 'kurrentdb', FIXTURE_RELEASE: '25.1.4' };

/** The environment in which no connection breaks by itself, for what is measured. */
export const UNBROKEN = { FIXTURE_BREAKS_EVERY: '0' };

/**
 * Starts the EventStoreDB test fixture in its own process on a free port. Returns its address, its process id and a
 * function that stops it.
 */
export async function startFixture(env = {}) {
  await buildTestProcesses();
  return startBuiltFixture(env);
}

/** Does the same within a run of Jest, whose set-up has built the fixture. */
export async function startBuiltFixture(env = {}) {
  const fixture = spawn(process.execPath, FIXTURE, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  for await (const line of createInterface({ input: fixture.stdout })) {
    const url = line.match(/^EVENT_STORE_URL=(.+)$/)?.[1];
    if (url) return { url, pid: fixture.pid, stop: () => fixture.kill() };
  }
  throw new Error('Expected the fixture to name its address, but it ended');
}
