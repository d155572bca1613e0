import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** VitePress looks at the links of those that are only the site's. */
const DOCUMENTS = execFileSync('git', ['ls-files', '*.md', ':!site'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n');

/** What stands between brackets in all matches of the pattern. */
const found = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([, one]) => one!);

/** The commands of the command line, by its generated manual. */
const COMMANDS = new Set(found(/waybill ([a-z][a-z-]*)/g, read('packages/cli/README.md')));

/** The anchors of a document, as GitHub derives them from headings. */
const anchorsOf = (text: string): readonly string[] => [
  ...found(/^#+ (.*)$/gm, text).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  ),
  ...found(/<a id="([^"]+)">/g, text),
];

function leadsNowhere(from: string, link: string): boolean {
  const [path, anchor] = link.split('#') as [string, string | undefined];
  const target = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).includes(anchor);
}

describe.each(DOCUMENTS)('%s', (path) => {
  const text = read(path);

  it('links to what exists', () => {
    const links = found(/(?:\]\(|src(?:set)?=")([^)"\s]+)/g, text).filter((link) => !/^\w+:/.test(link));
    expect(links.filter((link) => leadsNowhere(path, link))).toEqual([]);
  });

  it('names existing scripts and commands', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    const run = found(/npm run (?:--silent )?([a-z][\w:-]*)/g, text);
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([]);
    const typed = found(/(?:^|`)(?:npx )?waybill ([a-z][a-z-]*)/gm, text);
    expect(typed.filter((command) => !COMMANDS.has(command))).toEqual([]);
  });
});
