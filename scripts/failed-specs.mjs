// Prints the spec files that failed in a run of Jest, a line each, from the file of `--json --outputFile`. Prints none if there is no such
// file: Jest itself failed then.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [file] = process.argv.slice(2);
const { testResults } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { testResults: [] };

for (const { name, status } of testResults) if (status === 'failed') console.log(relative(process.cwd(), name));
