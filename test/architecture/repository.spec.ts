import { describe, expect, it } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { satisfies } from 'semver';
import { PERMISSIONS } from '../../src/api/access/api-keys.js';
import { MOST_REFUSED, WITHIN_MS } from '../../src/api/access/refused-keys.js';
import { USUAL_TIMES } from '../../src/api/http/client-times.js';
import { MOST_VALUES } from '../../src/api/http/json-body.js';
import { Config, VARIABLES } from '../../src/bootstrap/config.js';
import * as LOCKS from '../../src/infrastructure/database/locks.js';
import { MOST_PUT_ASIDE } from '../../src/infrastructure/reactions/events-put-aside.js';

const root = resolve(__dirname, '../..');
const texts = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  .split('\0')
  // Leaves out this file, which contains the patterns, and files that are not written by hand.
  .filter((path) => path !== '' && ![basename(__filename), 'package-lock.json'].includes(basename(path)))
  .filter((path) => existsSync(join(root, path)))
  .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n') }));

/** The places, as `path:line`, at which the pattern matches in files whose path matches. */
function places(pattern: RegExp, files = /./): string[] {
  return texts
    .filter(({ path }) => files.test(path))
    .flatMap(({ path, lines }) => lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : [])));
}

describe('the repository', () => {
  it('is covered by these checks', () => {
    expect(texts.length).toBeGreaterThan(30);
    expect(places(/MIT License/, /^LICENSE$/)).toEqual(['LICENSE:1']);
  });

  it('contains no path of the machine that it was written on', () => {
    expect(places(/(^|[\s'"`(=:@])\/(work|Users\/\w+|home\/(?!runner|node)\w+)\//)).toEqual([]);
    expect(
      texts.filter(({ lines }) => lines.some((line) => line.includes(`${root}/`))).map(({ path }) => path),
    ).toEqual([]);
  });

  it('describes the product, not how it was written', () => {
    expect(
      places(/(^|[^\w/])(\.library|shared)\/|\b(see|fix(es)?|closes?|per|in) issues? #?\d|\bworkplace\b/i),
    ).toEqual([]);
  });

  it('runs every test', () => {
    const tests = /\.spec\.ts$|^test\//;
    expect(places(/\b(it|test|describe)(\.each)?\.(only|skip|todo|failing)\b|\b[xf](it|describe)\(/, tests)).toEqual(
      [],
    );
    expect(places(/\bSKIP\b(?! LOCKED)/, tests)).toEqual([]);
  });

  /** A time that is enough on a quiet machine makes a test fail on a busy one. */
  it('gives no test less time than all have', () => {
    const times = /^\s*\}?, ?([1-9]\d?|[12]\d\d)_000\);$|^\s{4}([1-9]\d?|[12]\d\d)_000,$/;
    expect(places(times, /\.spec\.tsx?$/)).toEqual([]);
  });

  it('gives a reason for every lint exception', () => {
    expect(places(/(oxlint|eslint)-disable(?!.* -- \S)/, /\.(ts|mjs|cjs)$/)).toEqual([]);
  });

  it('contains the tests that the guarantees name', () => {
    const table = texts
      .find(({ path }) => path === 'docs/guarantees.md')!
      .lines.filter((line) => line.startsWith('| **'));
    const named = table.map((line) => [...line.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!));
    expect(named.filter((paths) => paths.length === 0)).toEqual([]);
    expect(named.flat().filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('contains the tests that the page of the OWASP API Top 10 names for each risk', () => {
    const rows = readFileSync(join(root, 'docs/reference/owasp-api-top-10.md'), 'utf8').match(/^\| API\d+ .*$/gm) ?? [];
    expect(rows.map((row) => /API\d+/.exec(row)![0])).toEqual(Array.from({ length: 10 }, (_, at) => `API${at + 1}`));
    for (const row of rows) {
      const tests = Array.from(row.matchAll(/`(test\/[^`]+)`/g), ([, path]) => path!);
      expect([row, tests.filter((path) => existsSync(join(root, path))).length]).toEqual([
        row,
        Math.max(1, tests.length),
      ]);
    }
  });

  it('explains how to report a vulnerability, and what protects what, with existing names', () => {
    const { lines } = texts.find(({ path }) => path === 'SECURITY.md')!;
    expect(lines.filter((line) => line.startsWith('## '))).toEqual([
      '## Report a vulnerability',
      '## Supported versions',
      '## What protects what',
      '## What does not protect',
    ]);
    const text = lines.join('\n');
    for (const name of [...PERMISSIONS, VARIABLES.apiKeys.name]) expect(text).toContain(`\`${name}\``);
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names the limits of the code as the limits', () => {
    const [config, count] = [new Config(), (one: number) => one.toLocaleString('en')];
    const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`;
    const seconds = (ms: number) => `${ms / 1_000} s`;
    const security = readFileSync(join(root, 'SECURITY.md'), 'utf8');
    expect([MOST_REFUSED, WITHIN_MS]).toEqual([20, 60_000]);
    expect(security).toContain('after twenty of them in a minute');
    expect(security).toContain(`the ports ${config.webhookPorts.join(' and ')} only`);
    const limits: readonly (readonly [what: string, limit: string])[] = [
      ['The body of a request', `${mib(config.bodyBytes)} (`],
      ['The JSON values in a body', `${count(MOST_VALUES)} `],
      ['The bodies of all requests in progress, of one process', `${mib(config.bytesInFlight)} (`],
      ['Connections, of one process', `${count(config.connections)} (`],
      ['The time for a request to arrive', seconds(USUAL_TIMES.requestMs)],
      [
        'The time of a connection without a request',
        `${seconds(USUAL_TIMES.requestMs)} at first, ${seconds(USUAL_TIMES.idleMs)} `,
      ],
      ['Refused API keys of one address', `${MOST_REFUSED} a minute`],
      ['Event streams and reads of events, of one holder', `${count(config.streamsPerHolder)} (`],
      ['The same, of one process', `${count(config.streams)} (`],
      ['The time of one statement of a query or of the history', `${seconds(config.readTimeoutMs)} (`],
      ['The time in which a client takes nothing of a large answer or a stream', seconds(USUAL_TIMES.stalledMs)],
      ['The time for a large answer, or a page of a stream, to be taken whole', `${USUAL_TIMES.takenMs / 60_000} min`],
      ['Events put aside, of a trigger or a reaction', count(MOST_PUT_ASIDE)],
    ];
    const rows = readFileSync(join(root, 'docs/reference/limits.md'), 'utf8').split('\n');
    for (const [what, limit] of limits)
      expect([
        what,
        rows
          .find((row) => row.startsWith(`| ${what} `))
          ?.split('|')[2]
          ?.trim()
          .concat(' '),
      ]).toEqual([what, expect.stringMatching(new RegExp(`^${limit.replace('(', '\\(')}`))]);
  });

  it('names the numbers of all advisory locks, of which an application may use none', () => {
    const numbers = Object.values(LOCKS).map((lock) => Number(lock.split(',')[0]));
    const manual = readFileSync(join(root, 'docs/reference/configuration.md'), 'utf8');
    expect(manual).toContain(`${Math.min(...numbers)} to ${Math.max(...numbers)}`);
  });

  it('has no folder of one file without a reason', () => {
    const folders = texts.flatMap(({ path }) => (/^src\/.*\//.test(path) ? [dirname(path)] : []));
    const holds = (folder: string) => folders.filter((one) => one === folder || one.startsWith(`${folder}/`)).length;
    const alone = [...new Set(folders)].filter((folder) => holds(folder) === 1);
    // A folder of the projections is one question, and may see no other.
    expect(alone.filter((folder) => !folder.startsWith('src/projections/')).sort()).toEqual([
      // An aggregate, like the folders beside it.
      'src/application/holds',
    ]);
  });

  it('silences npm for scripts whose output programs read', () => {
    expect(places(/npm run (?!--silent )\S+ -- .*--json/)).toEqual([]);
  });

  it('reads no clock in the domain', () => {
    expect(places(/new Date\(\s*\)/, /^src\/domain\//)).toEqual([]);
  });
});

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };

describe.each([
  ['bin/waybill.js', ['bin/waybill.js', '--version'], 0],
  // It gets as far as its configuration, which is invalid.
  ['dist/main.js', ['dist/main.js'], 1],
])('%s', (_program, args, goesOn) => {
  function startOn(version: string) {
    const preload = `data:text/javascript,Object.defineProperty(process, 'version', { value: '${version}' })`;
    const env = { PATH: process.env.PATH, PORT: 'none' };
    return spawnSync(process.execPath, ['--import', preload, ...args], { env, cwd: root, encoding: 'utf8' });
  }

  const REFUSED = ['v18.20.0', 'v20.18.3', 'v21.7.0', 'v22.12.0', 'v23.11.0', 'v24.10.0'];
  it.each(REFUSED)('refuses Node %s in one sentence, as in package.json', (version) => {
    const which = 'Node 20 (20.19 or later), 22 (22.13 or later), or 24.11 or later';
    expect(startOn(version)).toMatchObject({
      status: 1,
      stderr: `Expected ${which}, but this is ${version}; install one from nodejs.org.\n`,
    });
    expect(satisfies(version, engines.node)).toBe(false);
  });

  it.each(['v20.19.0', 'v22.13.0', 'v24.11.0', 'v25.0.0'])('runs on Node %s, as in package.json', (version) => {
    expect(satisfies(version, engines.node)).toBe(true);
    const { status, stderr } = startOn(version);
    expect([status, stderr.includes('Expected Node')]).toEqual([goesOn, false]);
  });
});
