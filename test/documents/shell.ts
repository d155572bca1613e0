import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Block } from './pages.js';

/** No program is on the PATH, so that bash calls this for each, with its arguments as a program would get them. It ends well, whatever the texts end with. */
const RECORDING = `
PATH=/nowhere
command_not_found_handle() { printf '%s\\0' "$#" "$@" >> "$AT.calls"; }
for name in cd exit kill set source test; do eval "$name() { :; }"; done
for AT in {0..COUNT}; do (. "./$AT" 2> "$AT.says"); done
:
`;

interface Recorded {
  /** Each program that the text calls, with its arguments. */
  readonly calls: readonly (readonly string[])[];
  /** What bash says of the text. */
  readonly says: string;
}

/** What a shell makes of each text. It runs no program, and neither reads nor writes a file of this machine. */
function recorded(texts: readonly string[]): readonly Recorded[] {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-shell-'));
  try {
    for (const [at, text] of texts.entries()) writeFileSync(join(folder, String(at)), withoutFiles(text));
    writeFileSync(join(folder, 'all'), RECORDING.replace('COUNT', String(texts.length - 1)));
    const env = { PID: '1', DATABASE_URL: 'postgres://db/waybill' };
    execFileSync('/bin/bash', ['--norc', 'all'], { cwd: folder, env, stdio: 'ignore', timeout: 60_000 });
    const read = (name: string): string => {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    };
    return texts.map((_, at) => ({ calls: wordsOf(read(`${at}.calls`)), says: read(`${at}.says`) }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const withoutFiles = (text: string): string => text.replaceAll(/(?<= (?:<|>{1,2}) ?)("[^"]+"|[\w./-]+)/g, '/dev/null');

function wordsOf(record: string): string[][] {
  const words = record.split('\0').slice(0, -1);
  const calls: string[][] = [];
  for (let at = 0; at < words.length;) {
    const count = Number(words[at]);
    calls.push(words.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return calls;
}

export interface Call {
  readonly place: string;
  readonly words: readonly string[];
}

/** Every call of a program. */
export const callsIn = (blocks: readonly Block[]): readonly Call[] =>
  recorded(blocks.map(({ text }) => text)).flatMap(({ calls }, at) =>
    calls.map((words) => ({ place: blocks[at]!.place, words })),
  );

/** What a shell has to say against blocks, with their places. */
export const saidOf = (blocks: readonly Block[]): readonly (readonly [place: string, says: string])[] =>
  recorded(blocks.map(({ text }) => text))
    .map(({ says }, at) => [blocks[at]!.place, says] as const)
    .filter(([, says]) => says !== '');

/** What stands behind the name of the program, for each call of one of these, also by npx. */
export const callsTo = (calls: readonly Call[], ...names: readonly string[]): readonly Call[] =>
  calls
    .map(({ place, words }) => ({ place, words: words[0] === 'npx' ? words.slice(1) : words }))
    .filter(({ words }) => names.includes(words[0]!))
    .map(({ place, words }) => ({ place, words: words.slice(1) }));
