import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { join } from 'node:path';
import { grammarFor } from '../../packages/cli/src/program.js';
import { wrongIn } from '../support/wrong-requests.js';
import { blocksIn, ROOT, wordsIn } from './pages.js';
import { type Call, callsIn, callsTo, saidOf } from './shell.js';

const BLOCKS = blocksIn('sh', 'bash', 'console');
const CALLS = callsIn(BLOCKS);

/** Ends a command that was understood, before it does anything. */
class Understood extends Error {}

/** The code of commander's refusal of the words, or null. */
function refusalOf(words: readonly string[]): string | null {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = stdout as unknown as NodeJS.WriteStream;
  const program = grammarFor({ stdin: Readable.from([]), stdout: terminal, stderr, env: {} });
  program.hook('preAction', () => {
    throw new Understood();
  });
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    return error instanceof Understood ? null : (error as { readonly code: string }).code;
  }
  throw new Error(`Expected '${words.join(' ')}' to do something`);
}

const refusals = (calls: readonly Call[], ...names: readonly string[]) =>
  callsTo(calls, ...names)
    .map(({ place, words }) => [place, words.join(' '), refusalOf(words)] as const)
    .filter(([, , refusal]) => refusal !== null);

/** The request of a call of `curl`. */
function requestOf(words: readonly string[]) {
  const given = (option: string): string | undefined => words[words.indexOf(option) + 1 || words.length];
  const { pathname: path } = new URL(words.find((word) => /^https?:/.test(word))!);
  const body = given('-d') ?? given('--json');
  return {
    method: given('-X') ?? (body === undefined ? 'GET' : 'POST'),
    path,
    ...(body !== undefined && { body: JSON.parse(body) as unknown }),
  };
}

describe('the commands of the documents', () => {
  it('are understood by a shell', () => {
    expect(BLOCKS.length).toBeGreaterThan(140);
    expect(saidOf(BLOCKS)).toEqual([]);
  });

  it('are understood by the command line', () => {
    expect(CALLS.length).toBeGreaterThan(250);
    expect(refusals(CALLS, 'waybill', 'waybill-cli')).toEqual([]);
  });

  it('are understood by the command line in sentences, which may leave out what is clear', () => {
    const calls = callsIn(wordsIn(/^(npx )?waybill [a-z][^…]*$/));
    const refused = refusals(calls, 'waybill').filter(([, , code]) => !/missing|help/i.test(code!));
    expect(calls.length).toBeGreaterThan(150);
    expect(refused).toEqual([]);
  });

  it('send requests that the API has, with bodies of their schemas', () => {
    const requests = callsTo(CALLS, 'curl')
      .filter(({ words }) => words.some((word) => /^http:\/\/(localhost|127\.0\.0\.1):3000/.test(word)))
      .map(({ place, words }) => [place, requestOf(words)] as const);
    expect(requests.length).toBeGreaterThan(5);
    expect(requests.map(([place, request]) => [place, wrongIn(request)]).filter(([, wrong]) => wrong !== null)).toEqual(
      [],
    );
  });

  it('run programs of this repository that exist', () => {
    const programs = callsTo(CALLS, 'node').flatMap(({ place, words }) =>
      words.filter((word) => /^[a-z]+\/.*\.m?js$/.test(word)).map((program) => [place, program] as const),
    );
    expect(programs.length).toBeGreaterThan(3);
    expect(programs.filter(([, program]) => !existsSync(join(ROOT, program)))).toEqual([]);
  });
});
