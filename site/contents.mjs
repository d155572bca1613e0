// The table of contents, which `docs/README.md` is: the site's sidebar and `llms.txt` are made of it.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { placeOf, ROOT } from './places.mjs';

const FILE = 'docs/README.md';

/** Its groups: each a title and its entries, which are links, or groups below it. */
export function contents() {
  const groups = [];
  for (const line of readFileSync(ROOT + FILE, 'utf8').split('\n')) {
    const [, level, title] = /^(##+) (.+)$/.exec(line) ?? [];
    if (level === '##') groups.push({ title, entries: [] });
    if (level === '###') groups.at(-1).entries.push({ title, entries: [] });
    const [, text, link, rest] = /^- \[([^\]]+)\]\(([^)]+)\)(?:: (.*))?$/.exec(line) ?? [];
    if (text) innermost(groups.at(-1)).push(entry(text, link, rest));
  }
  return groups;
}

const innermost = ({ entries }) => (entries.at(-1)?.entries ? entries.at(-1).entries : entries);

const entry = (title, link, says = '') => ({
  title,
  says,
  address: placeOf(link, FILE).address,
  path: posix.join(posix.dirname(FILE), link),
});

/** The links of a group and of those below it, in their order. */
export const linksOf = ({ entries }) => entries.flatMap((one) => (one.entries ? linksOf(one) : [one]));

/** As VitePress takes it. */
export const sidebar = () => contents().map(sidebarGroup(false));

const sidebarGroup =
  (collapsed) =>
  ({ title, entries }) => ({
    text: title,
    collapsed,
    items: entries.map((one) => (one.entries ? sidebarGroup(true)(one) : { text: one.title, link: one.address })),
  });
