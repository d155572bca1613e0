import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildTestProcesses, processFile } from './test-processes.mjs';

const FIXTURE = [processFile('test/support/eventstoredb/main'), '0'];

/** The environment of Jest with the events on the server of this address or, without one, on test fixtures. */
export const eventsElsewhere = (url) => (url ? { EVENT_STORE_URL: url } : { EVENT_STORE_FIXTURES: 'yes' });

/**
 * Starts the EventStoreDB test fixture in its own process on a free port. Returns its address, its process id and a
 * function that stops it.
 */
export async function startFixture() {
  await buildTestProcesses();
  return startBuiltFixture();
}

/** Does the same within a run of Jest, whose set-up has built the fixture. */
export async function startBuiltFixture() {
  const fixture = spawn(process.execPath, FIXTURE, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: fixture.stdout })) {
    const url = line.match(/^EVENT_STORE_URL=(.+)$/)?.[1];
    if (url) return { url, pid: fixture.pid, stop: () => fixture.kill() };
  }
  throw new Error('Expected the fixture to name its address, but it ended');
}
