// The instructions that a whole life of a plain task costs Postgres and Node, beside those of an earlier revision. Needs
// valgrind (`apt-get install valgrind`), and no quiet machine: counts do not depend on what else runs. Node's are without those of
// V8's compilers and of SHA, for which valgrind has no instructions. `--of calls` counts
// the functions that Node calls, which is exact and needs no valgrind.
//   npm run --silent bench:instructions -- [--base REVISION] [--of postgres,node,calls] [--few 10000] [--many 50000] [--repeat 2] [--json]
import { parseArgs } from 'node:util';
import { withRevision } from './measure/revision.mjs';
import { measureLife } from './instructions/measure.mjs';
import { report } from './instructions/report.mjs';

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    of: { type: 'string', default: 'postgres,node' },
    few: { type: 'string', default: '10000' },
    many: { type: 'string', default: '50000' },
    repeat: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const { base, of, json, ...numbers } = values;
const size = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)]));
const programs = of.split(',');
const say = (line) => console.error(line);

/** Repetitions of the two revisions take turns. */
async function measureAll(checkouts) {
  const found = programs.map((program) => ({
    program,
    lives: Object.fromEntries(Object.keys(checkouts).map((name) => [name, []])),
  }));
  for (const { program, lives } of found)
    for (let round = 0; round < size.repeat; round++)
      for (const [name, checkout] of Object.entries(checkouts)) {
        lives[name].push(await measureLife(program, checkout, size));
        say(`${program}, ${name}: ${lives[name].at(-1).toFixed(0)} a life`);
      }
  return found;
}

const here = process.cwd();
const result =
  base === undefined
    ? await measureAll({ now: here })
    : await withRevision(base, (before) => measureAll({ before, now: here }));
console.log(json ? JSON.stringify({ base: base ?? null, ...size, result }) : report({ base, ...size, result }));
