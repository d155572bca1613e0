/** What holds of the log with `@eventstore/db-client`, holds with `@kurrent/kurrentdb-client`. The contract of the store holds with both at night. */
const SPECS = ['./eventstoredb-log.spec.js', './log-marks.spec.js', './cluster.spec.js', './readings.spec.js'];

const { FIXTURE_SCHEME } = process.env;
beforeAll(() => {
  process.env.FIXTURE_SCHEME = 'kurrentdb';
});
afterAll(() => {
  if (FIXTURE_SCHEME === undefined) delete process.env.FIXTURE_SCHEME;
  else process.env.FIXTURE_SCHEME = FIXTURE_SCHEME;
});

describe.each(SPECS)('with kurrentdb://: %s', (spec) => {
  require(spec);
});
