// Prints the spec files that took longest in runs of Jest, from the files of `--json --outputFile`.
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

const MOST = 10;

const specs = process.argv
  .slice(2)
  .filter((file) => existsSync(file))
  .flatMap((file) =>
    JSON.parse(readFileSync(file, 'utf8')).testResults.map(({ name, startTime, endTime }) => ({
      seconds: Math.round((endTime - startTime) / 1_000),
      spec: `${relative(process.cwd(), name)} (${basename(file, '.json')})`,
    })),
  );

for (const { seconds, spec } of specs.sort((a, b) => b.seconds - a.seconds).slice(0, MOST))
  console.log(`${String(seconds).padStart(6)} s  ${spec}`);
