// Where the time goes, as a flame graph in text:
//   node --cpu-prof --cpu-prof-dir=.waybill/profile bench/core.mjs --repeat 1 && node bench/flame.mjs .waybill/profile [--least 1]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { flameText } from './profile/flame-text.mjs';
import { flameTree } from './profile/flame-tree.mjs';

const { values, positionals } = parseArgs({
  options: { least: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const [folder = '.'] = positionals;
const profiles = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
if (profiles.length === 0) throw new Error(`Expected a .cpuprofile in '${folder}', but there is none`);
const profile = JSON.parse(readFileSync(join(folder, profiles.toSorted().at(-1)), 'utf8'));
console.log(flameText(flameTree(profile), { leastShare: Number(values.least) / 100 }));
