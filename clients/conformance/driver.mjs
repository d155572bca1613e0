// Runs the cases against a program, and says which it passes: `node driver.mjs [--case PART-OF-A-NAME] -- COMMAND`. See README.md.
import { parseArgs } from 'node:util';
import { cases, run } from './run.mjs';

const { values, positionals } = parseArgs({
  options: { case: { type: 'string', default: '' } },
  allowPositionals: true,
});
const chosen = cases.filter(({ name }) => name.includes(values.case));
const results = await run(positionals, chosen);
for (const { name, faults } of results) {
  console.log(`${faults.length === 0 ? 'ok    ' : 'NOT OK'} ${name}`);
  for (const fault of faults) console.log(`       ${fault}`);
}
const passed = results.filter(({ faults }) => faults.length === 0).length;
console.log(`${passed} of ${chosen.length} cases pass`);
process.exitCode = passed === chosen.length ? 0 : 1;
