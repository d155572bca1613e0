// Runs tests of the whole service with the events in EventStoreDB: on the server of EVENT_STORE_URL, or on a test fixture
// for each spec file. With --kurrentdb, the fixtures behave like a server of 25.1, and the service uses its client. Without a part,
// those of the night run, too.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventsElsewhere, KURRENT } from './eventstoredb-fixture.mjs';
import { FOR_JEST } from './short-lived.mjs';

const WHOLE = [
  'test/infrastructure/event-store',
  'test/infrastructure/dispatch-index',
  'test/infrastructure/eventstoredb/',
  'test/infrastructure/eventstoredb-fixture',
  'test/event-store',
  'test/events-copy',
  'test/api',
  'test/acceptance',
  'test/chaos/(kills|race|takeover|two-builds|workers)',
];

const isKurrent = process.argv.includes('--kurrentdb');
const given = process.argv.slice(2).filter((argument) => argument !== '--kurrentdb');
const names = given.some((argument) => !argument.startsWith('--'));
const parts = names ? given : [...given, ...WHOLE, '--testPathIgnorePatterns', '/node_modules/'];
const jest = spawn(process.execPath, [...FOR_JEST, 'node_modules/jest/bin/jest.js', ...parts], {
  stdio: 'inherit',
  env: { ...process.env, ...eventsElsewhere(process.env.EVENT_STORE_URL), ...(isKurrent && KURRENT) },
});
const [code] = await once(jest, 'exit');
process.exitCode = code ?? 1;
