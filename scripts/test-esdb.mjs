// Runs tests of the whole service with the events in EventStoreDB: on the server of EVENT_STORE_URL, or on a test fixture
// for each spec file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventsElsewhere } from './eventstoredb-fixture.mjs';

const WHOLE = [
  'test/infrastructure/event-store',
  'test/infrastructure/dispatch-index',
  'test/infrastructure/eventstoredb',
  'test/event-store',
  'test/events-copy',
  'test/api',
  'test/acceptance',
  'test/chaos/(kills|race|takeover|two-builds|workers)',
];

const parts = process.argv.length > 2 ? process.argv.slice(2) : WHOLE;
const jest = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...parts], {
  stdio: 'inherit',
  env: { ...process.env, ...eventsElsewhere(process.env.EVENT_STORE_URL) },
});
const [code] = await once(jest, 'exit');
process.exitCode = code ?? 1;
