// Where the files of the repository are in the site.
import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Pages that do not keep their path below `docs`. */
const ELSEWHERE = {
  'docs/README.md': 'contents.md',
  'clients/python/README.md': 'reference/python.md',
  'clients/conformance/README.md': 'reference/conformance.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

/** What is made of a file or folder: the home page, the lists that are generated. */
const MADE = { 'README.md': '/', 'docs/adr': '/adr/', 'openapi.json': '/api/', 'packages/client/src': '/sdk/' };

/** The file of the site that a Markdown file becomes, below the folder of pages, or null. */
export function pageOf(path) {
  if (!path.endsWith('.md')) return null;
  const [, name] = /^packages\/([\w-]+)\/README\.md$/.exec(path) ?? [];
  if (name) return `reference/${name}.md`;
  return ELSEWHERE[path] ?? (path.startsWith('docs/') ? path.slice('docs/'.length) : null);
}

/** The address of a page, from the file that it is. */
export const addressOf = (page) => `/${page.replace(/(^|(?<=\/))index\.md$|\.md$/, '')}`;

/** Where a link leads that stands in the file `from`, and the file or folder that is shown for it, if it is no page. */
export function placeOf(link, from) {
  if (/^(\w+:|#)/.test(link)) return { address: link };
  const [path, anchor] = link.split('#');
  const target = posix.join(posix.dirname(from), path).replace(/\/$/, '');
  const page = pageOf(target);
  const address = MADE[target] ?? (page && addressOf(page));
  if (address) return { address: anchor === undefined ? address : `${address}#${anchor}` };
  const place = `${ROOT}${target}`;
  if (existsSync(place) && statSync(place).isDirectory()) return { address: `/source/${target}/`, file: target };
  if (!existsSync(place)) throw new Error(`Expected '${link}' in ${from} to lead to a page or a file, but it does not`);
  return target.startsWith('docs/images/')
    ? { address: target.slice('docs'.length), file: target }
    : { address: `/source/${target}.txt`, file: target };
}

/** The anchor of a heading, as GitHub derives it. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
