// The events in EventStoreDB, on the test fixture in a process of its own or on the server of EVENT_STORE_URL: appends through
// the adapter and whole lives of tasks beside the raw client, and the time of transactions.
//   npm run --silent bench:eventstoredb -- [--events 3000] [--tasks 2000] [--transactions 1000] [--repeat 5] [--works appends,lives,transactions] [--kurrentdb] [--json]
// With --kurrentdb, the fixture behaves like a server of 25.1, and raw client and service use its client.
import { parseArgs } from 'node:util';
import { KURRENT, startFixture, UNBROKEN } from '../scripts/eventstoredb-fixture.mjs';
import { BenchPostgres } from './database/postgres.mjs';
import { measureAppends } from './eventstoredb/appends.mjs';
import { measureBesideRaw } from './eventstoredb/beside-raw.mjs';
import { measureTransactions } from './eventstoredb/transactions.mjs';
import { judge, report } from './eventstoredb/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '3000' },
    tasks: { type: 'string', default: '2000' },
    transactions: { type: 'string', default: '1000' },
    repeat: { type: 'string', default: '5' },
    works: { type: 'string', default: 'appends,lives,transactions' },
    kurrentdb: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const size = { events: Number(values.events), tasks: Number(values.tasks), repeat: Number(values.repeat) };

const given = process.env.EVENT_STORE_URL;
const store = given ? { url: given, stop() {} } : await startFixture({ ...UNBROKEN, ...(values.kurrentdb && KURRENT) });
const postgres = await BenchPostgres.open();
try {
  const about = {
    machine: machine(),
    postgres: await postgres.settings(),
    store: given ? 'a server' : values.kurrentdb ? 'the fixture, as a server of 25.1' : 'the fixture',
  };
  const works = {
    appends: () => measureAppends(store.url, size),
    lives: async () => measureBesideRaw({ databaseUrl: await postgres.database('lives'), store }, size),
    transactions: async () =>
      measureTransactions({ databaseUrl: await postgres.database('transactions'), store }, Number(values.transactions)),
  };
  const results = {};
  for (const work of values.works.split(',')) results[work] = await works[work]();
  const found = { ...about, ...size, ...results, goals: judge(results) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
  store.stop();
}
