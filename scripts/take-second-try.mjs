// Replaces in the results of a run of Jest those of the spec files that ran once more: RESULTS AGAIN, both written by `--json
// --outputFile`. `secondTry` counts these files.
import { readFileSync, writeFileSync } from 'node:fs';

const [file, again] = process.argv.slice(2);
const [before, after] = [file, again].map((name) => JSON.parse(readFileSync(name, 'utf8')));

const names = new Set(after.testResults.map(({ name }) => name));
const testResults = [...before.testResults.filter(({ name }) => !names.has(name)), ...after.testResults];
const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
const count = (status) => tests.filter((test) => test.status === status).length;

const counts = {
  numPassedTests: count('passed'),
  numFailedTests: count('failed'),
  numRuntimeErrorTestSuites: testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length,
};
writeFileSync(file, JSON.stringify({ ...before, ...counts, testResults, secondTry: names.size }));
