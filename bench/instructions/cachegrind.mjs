import { readFileSync } from 'node:fs';

/** The command that runs the program behind it and stores its instructions there. */
export const COUNT = (file) => [
  'valgrind',
  '--quiet',
  '--tool=cachegrind',
  '--cache-sim=no',
  '--smc-check=all-non-file',
  `--cachegrind-out-file=${file}`,
];

export function instructionsIn(file) {
  const found = /^summary: (\d+)/m.exec(readFileSync(file, 'utf8'));
  if (!found) throw new Error(`Expected a summary in '${file}', but there is none`);
  return Number(found[1]);
}
