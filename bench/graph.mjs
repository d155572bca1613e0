// The task graph: how soon many tasks are ready that wait for one, what that costs others, a chain, and a batch beside plain tasks.
//   npm run --silent bench:graph -- [--dependants 10000] [--members 100000] [--chain 1000] [--repeat 3]
//     [--events eventstoredb] [--json]
// With `--events eventstoredb`, the events are on the test fixture in a process of its own or on the server of EVENT_STORE_URL.
import { parseArgs } from 'node:util';
import { startFixture, UNBROKEN } from '../scripts/eventstoredb-fixture.mjs';
import { BenchPostgres } from './database/postgres.mjs';
import { judge } from './graph/goals.mjs';
import { measureGraph } from './graph/measure.mjs';
import { report } from './graph/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    dependants: { type: 'string', default: '10000' },
    members: { type: 'string', default: '100000' },
    chain: { type: 'string', default: '1000' },
    repeat: { type: 'string', default: '3' },
    events: { type: 'string', default: 'postgres' },
    json: { type: 'boolean', default: false },
  },
});
const size = {
  dependants: Number(values.dependants),
  members: Number(values.members),
  chain: Number(values.chain),
  repeat: Number(values.repeat),
};

const given = process.env.EVENT_STORE_URL;
const store =
  values.events !== 'eventstoredb' ? null : given ? { url: given, stop() {} } : await startFixture(UNBROKEN);
const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings(), events: values.events };
  const at = {
    databaseUrl: await postgres.database('graph'),
    ...(store && { eventStoreUrl: store.url, eventStorePrefix: `graph${process.pid}.` }),
  };
  const result = await measureGraph(at, size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
  store?.stop();
}
