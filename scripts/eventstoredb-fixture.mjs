import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildTestProcesses, processFile } from './test-processes.mjs';

const FIXTURE = [processFile('test/support/eventstoredb/main'), '0'];

/**
 * Starts the EventStoreDB test fixture in its own process on a free port. Returns its address, its process id and a
 * function that stops it.
 */
export async function startFixture() {
  await buildTestProcesses();
  const fixture = spawn(process.execPath, FIXTURE, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: fixture.stdout })) {
    const url = line.match(/^EVENT_STORE_URL=(.+)$/)?.[1];
    if (url) return { url, pid: fixture.pid, stop: () => fixture.kill() };
  }
  throw new Error('Expected the fixture to name its address, but it ended');
}
