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

/** V8's parser and compilers: how much of their work falls into a life depends on when it begins. */
const COMPILER =
  /\bv8::internal::(?:compiler|maglev|baseline|interpreter::Bytecode|Scanner|Parser|PreParser|AstValueFactory)/;
/** valgrind's processor has no instructions for it, so a hash costs it many more than other processors. */
const SHA = /^sha(?:1|256|512)_block_data_order/;

const isOwn = (name) => !COMPILER.test(name) && !SHA.test(name);

/** The instructions of Node without those of V8's compilers and of SHA. What allocates for the compilers still counts. */
export function ownInstructionsIn(file) {
  let [own, counts] = [0, true];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('fn=')) counts = isOwn(line.slice(3));
    else if (counts && /^\d+ \d+$/.test(line)) own += Number(line.slice(line.indexOf(' ')));
  }
  return own;
}
