// Prints the spec files that took most of the processor, and all of them together, from files that PROCESSOR_TIME names in runs of Jest.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const MOST = 60;

const specs = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([seconds, path]) => ({ seconds: Number(seconds), spec: `${path} (${basename(file, '.times')})` })),
  )
  .sort((a, b) => b.seconds - a.seconds);

const line = (seconds, what) => console.log(`${seconds.toFixed(1).padStart(8)} s  ${what}`);
for (const { seconds, spec } of specs.slice(0, MOST)) line(seconds, spec);
line(
  specs.reduce((sum, { seconds }) => sum + seconds, 0),
  `all ${specs.length} files`,
);
