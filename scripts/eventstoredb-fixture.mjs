import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { buildTestProcesses, processFile } from './test-processes.mjs';

const FIXTURE = [processFile('test/support/eventstoredb/main'), '0'];

/** The EventStoreDB test fixture in a process of its own, on a free port: its address, and how to end it. */
export async function startFixture() {
  await buildTestProcesses();
  const fixture = spawn(process.execPath, FIXTURE, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: fixture.stdout })) {
    const url = line.match(/^EVENT_STORE_URL=(.+)$/)?.[1];
    if (url) return { url, stop: () => fixture.kill() };
  }
  throw new Error('Expected the fixture to name its address, but it ended');
}
