import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contents, linksOf } from '../../site/contents.mjs';
import { site } from '../../site/assemble.mjs';
import { llms } from '../../site/llms.mjs';
import { problemSections } from '../../site/problem-pages.mjs';
import { addressOf, anchorOf } from '../../site/places.mjs';
import { API_ERRORS } from '../../src/api/problems/api-error.js';
import { problem, REJECTIONS } from '../../src/api/problems/problem.js';

const ROOT = join(import.meta.dirname, '../..');

const { pages, others, texts } = site();
const addresses = new Map([...pages].map(([page, text]) => [addressOf(page), text]));

/** What is made elsewhere: the home page, and the pages of the client's types. */
const MADE = ['/', '/sdk/'];

/** What stands between brackets in all matches of the pattern. */
const found = (pattern: RegExp, text: string): string[] => [...text.matchAll(pattern)].map(([, one]) => one!);

const withoutCode = (text: string): string =>
  text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]+`/g, '');

const anchorsOf = (text: string): readonly string[] => [
  ...found(/^#+ (.*)$/gm, text).map(anchorOf),
  ...found(/<a id="([^"]+)">/g, text),
];

function leadsNowhere(link: string): boolean {
  const [address, anchor] = link.split('#') as [string, string | undefined];
  if (others.has(address) || MADE.includes(address)) return false;
  const text = addresses.get(address);
  return text === undefined || (anchor !== undefined && !anchorsOf(text).includes(anchor));
}

describe('the site', () => {
  it('has links that lead to its own pages and files', () => {
    const links = [...pages].flatMap(([page, text]) =>
      found(/(?:\]\(|src(?:set)?=")(\/[^)"\s]*)/g, text).map((link) => [page, link] as const),
    );
    expect(links.length).toBeGreaterThan(1_000);
    expect(links.filter(([, link]) => leadsNowhere(link))).toEqual([]);
  });

  it('has no text that Vue takes for a component or an expression', () => {
    const components = /<(?!\/?(?:picture|source|img|a|br|details|summary)\b|!--)|\{\{/;
    expect([...pages].filter(([, text]) => components.test(withoutCode(text))).map(([page]) => page)).toEqual([]);
  });

  it('has every document in its table of contents, once', () => {
    const listed = contents()
      .flatMap(linksOf)
      .map(({ path }) => path);
    const folders = ['docs', 'docs/how-to', 'docs/reference', 'docs/tutorials'];
    const documents = folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])),
    );
    expect(listed.filter((path) => /^docs\/.*\.md$/.test(path)).toSorted()).toEqual(
      documents.filter((path) => path !== 'docs/README.md').toSorted(),
    );
  });

  it('has llms.txt with every page of the table of contents, and their texts in one file', () => {
    const { 'llms.txt': list, 'llms-full.txt': full } = llms(texts);
    const linked = found(/^- \[.*?\]\(https:\/\/waybill\.dev(.*?)\.md\)/gm, list);
    expect(linked.length).toBeGreaterThan(90);
    expect(linked.filter((address) => !texts.has(address))).toEqual([]);
    for (const address of linked) expect(full).toContain(texts.get(address));
  });
});

describe('the page of each problem', () => {
  const codes = { ...REJECTIONS, ...API_ERRORS } as Record<string, { readonly status: number; readonly title: string }>;
  const sections = problemSections() as ReadonlyMap<string, string>;

  it('is there for every code, and for no other', () => {
    expect([...sections.keys()].toSorted()).toEqual(Object.keys(codes).toSorted());
  });

  it('begins with its status and title, and says what to do', () => {
    for (const [code, { status, title }] of Object.entries(codes)) {
      const [first, ...rest] = sections.get(code)!.split('\n\n');
      expect([code, first]).toEqual([code, `**${status}:** ${title}.`]);
      expect([code, rest.join('').length > 20]).toEqual([code, true]);
    }
  });

  it('shows what the service answers', () => {
    const examples = JSON.parse(readFileSync(join(ROOT, 'site/problem-examples.json'), 'utf8'));
    for (const [code, example] of Object.entries(examples)) {
      const { pathname } = new URL((example as { readonly type: string }).type);
      expect([code, addresses.get(pathname)]).toEqual([
        code,
        expect.stringContaining(JSON.stringify(example, null, 2)),
      ]);
    }
    expect(Object.keys(examples).length).toBeGreaterThan(100);
  });

  it('is at the address of its type', () => {
    for (const [code, { status, title }] of Object.entries(codes)) {
      const { type } = problem({ code, status, title, detail: '' });
      expect([type, addresses.has(new URL(type).pathname)]).toEqual([type, true]);
    }
  });
});
