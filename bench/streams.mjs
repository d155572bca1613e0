// What many event streams whose filters match nothing cost those who enqueue.
//   npm run --silent bench:streams -- [--streams 100] [--events 1000000] [--seconds 10] [--rounds 5] [--json]
import { parseArgs } from 'node:util';
import { BenchPostgres } from './database/postgres.mjs';
import { machine } from './measure/machine.mjs';
import { judge } from './streams/goals.mjs';
import { measureStreams } from './streams/measure.mjs';
import { report } from './streams/report.mjs';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '100' },
    events: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const size = {
  streams: Number(values.streams),
  events: Number(values.events),
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
};

const postgres = await BenchPostgres.open();
try {
  const about = { machine: machine(), postgres: await postgres.settings() };
  const result = await measureStreams(await postgres.database('streams'), size, (line) => console.error(line));
  const found = { ...about, ...size, result, goals: judge(result) };
  console.log(values.json ? JSON.stringify(found) : report(found));
} finally {
  await postgres.close();
}
