// Evidence: how fast `waybill verify` reads a log of batches and one of single appends, and how far a seal is behind under load, beside the same load
// without a notary, and how long an erasure takes with claims beside it.
//   npm run --silent bench:evidence -- [--events 1000000] [--singles 200000] [--seconds 60] [--erased 1000] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { measureErasing } from './evidence/erasing.mjs';
import { judge, report } from './evidence/report.mjs';
import { measureSealing } from './evidence/sealing.mjs';
import { measureVerify } from './evidence/verifying.mjs';
import { machine } from './measure/machine.mjs';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    singles: { type: 'string', default: '200000' },
    seconds: { type: 'string', default: '60' },
    erased: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const { json, ...numbers } = values;
const size = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
const say = (line) => console.error(line);

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const verify = await measureVerify(postgres, size, say);
  const sealing = await measureSealing(postgres, size, say);
  const erasing = await measureErasing(postgres, size, say);
  const result = { verify, sealing, erasing };
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
