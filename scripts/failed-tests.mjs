// Prints the tests that failed in runs of Jest, from the files of `--json --outputFile`: the end of a long output is what
// people see first, and often all that is kept. `--as WORDS`: how to call them instead of 'failed'.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const MESSAGE_LINES = 12;

const {
  values: { as },
  positionals,
} = parseArgs({ options: { as: { type: 'string', default: 'failed' } }, allowPositionals: true });

for (const file of positionals.filter((name) => existsSync(name)))
  for (const { name, message, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    const spec = relative(process.cwd(), name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failed) show(`${spec} › ${fullName}`, failureMessages.join('\n'));
    // A file that does not run has no tests, only a message.
    if (assertionResults.length === 0 && message) show(spec, message);
  }

function show(title, message) {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
  console.log(`\n${as}: ${title}\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
