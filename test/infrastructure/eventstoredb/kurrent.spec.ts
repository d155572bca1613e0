import { openStore } from '../../support/eventstoredb/open-store.js';
import { eventStoreContract } from '../event-store/event-store.contract.js';

/** What holds with `@eventstore/db-client`, holds with `@kurrent/kurrentdb-client`. */
const SPECS = ['./eventstoredb-log.spec.js', './log-marks.spec.js', './cluster.spec.js', './readings.spec.js'];

const { FIXTURE_SCHEME } = process.env;
beforeAll(() => {
  process.env.FIXTURE_SCHEME = 'kurrentdb';
});
afterAll(() => {
  if (FIXTURE_SCHEME === undefined) delete process.env.FIXTURE_SCHEME;
  else process.env.FIXTURE_SCHEME = FIXTURE_SCHEME;
});

describe('EventStoreDbEventStore with kurrentdb://', () => {
  eventStoreContract({ name: 'EventStoreDB on the fixture, with kurrentdb://' }, openStore);
});

describe.each(SPECS)('with kurrentdb://: %s', (spec) => {
  require(spec);
});
