import { expect } from '@jest/globals';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../packages/cli/src/index.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line as a person types it, against the service at `url`. */
export async function runCli(url: string, args: string, stdin = '', more: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const env = { WAYBILL_URL: url, WAYBILL_ACTOR: 'ann', ...more };
  const terminal = stdout as unknown as NodeJS.WriteStream;
  const code = await main(wordsIn(args), { stdin: Readable.from([stdin]), stdout: terminal, stderr, env });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = await said;
  return { code, out, err };
}

/** The output of a command that must succeed. */
export async function cliOutput(url: string, args: string, stdin?: string): Promise<string> {
  const ran = await runCli(url, args, stdin);
  expect({ args, ...ran }).toEqual({ args, code: 0, out: ran.out, err: expect.not.stringMatching(/✗|error/) });
  return ran.out;
}

/** Splits like a shell; single quotes only. */
export const wordsIn = (line: string): string[] =>
  Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain!);

/** The values that a command prints with `--json`, one a line. */
export const jsonLines = (output: string): any[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
