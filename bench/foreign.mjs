// A store that others write to, too, on the server of EVENT_STORE_URL or on the test fixture.
//   npm run --silent bench:foreign -- [--own 500] [--foreign 1000000] [--rate 1000] [--seconds 10] [--settle 10] [--json]
import { parseArgs } from 'node:util';
import { startFixture, UNBROKEN } from '../scripts/eventstoredb-fixture.mjs';
import { BenchPostgres } from './database/postgres.mjs';
import { measureForeign } from './foreign/measure.mjs';
import { judge, report } from './foreign/report.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    own: { type: 'string', default: '500' },
    foreign: { type: 'string', default: '1000000' },
    rate: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
    settle: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const size = {
  own: Number(values.own),
  foreign: Number(values.foreign),
  rate: Number(values.rate),
  seconds: Number(values.seconds),
  settle: Number(values.settle),
};

const given = process.env.EVENT_STORE_URL;
const store = given ? { url: given, stop() {} } : await startFixture(UNBROKEN);
const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings(), store: given ? 'a server' : 'the fixture' };
  const results = await measureForeign({ databaseUrl: await postgres.database('foreign'), store, ...size });
  const found = { ...about, ...size, ...results, goals: judge(results) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
  store.stop();
}
