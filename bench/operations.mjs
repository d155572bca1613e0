// Bulk operations: many failed tasks retried in one call, an abort that takes many along, and the undo of each, with the events in Postgres and in EventStoreDB (on the test
// fixture, or on the server of EVENT_STORE_URL).
//   npm run --silent bench:operations -- [--tasks 10000] [--repeat 3] [--json]
import { parseArgs } from 'node:util';
import { startFixture, UNBROKEN } from '../scripts/eventstoredb-fixture.mjs';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { measureOperations } from './operations/measure.mjs';
import { judge, report } from './operations/report.mjs';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    repeat: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const size = { tasks: Number(values.tasks), repeat: Number(values.repeat) };

const given = process.env.EVENT_STORE_URL;
const store = given ? { url: given, stop() {} } : await startFixture(UNBROKEN);
const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings(), store: given ? 'a server' : 'the fixture' };
  const say = (line) => console.error(line);
  const result = {
    postgres: await measureOperations({ databaseUrl: await postgres.database('operations') }, size, say),
    eventstoredb: await measureOperations(
      {
        databaseUrl: await postgres.database('operations_esdb'),
        eventStoreUrl: store.url,
        eventStorePrefix: `bench${process.pid}.`,
      },
      size,
      say,
    ),
  };
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
  store.stop();
}
