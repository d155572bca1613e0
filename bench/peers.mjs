// Waybill beside other queues: the same works on the same machine in one run, interleaved.
//   npm run --silent bench:peers -- [--quick] [--json] [--tasks 50000] [--repeat 3] [--systems waybill,pgboss] [--works single,latency]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { measurePeers } from './peers/measure.mjs';
import { optionsOf } from './peers/options.mjs';
import { report } from './peers/report.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    tasks: { type: 'string' },
    repeat: { type: 'string' },
    systems: { type: 'string' },
    works: { type: 'string' },
  },
});
const options = optionsOf(values);

/** Only the result goes to standard output. */
const say = (line) => console.error(line);

const postgres = await BenchPostgres.open();
try {
  const found = await measurePeers(postgres, options, say);
  console.log(values.json ? JSON.stringify({ ...found.medians, ...found }) : report(found));
} finally {
  await postgres.close();
}
