// Puts the pages of the site into a folder: the documents with addresses of the site in their links, and what is generated.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { apiPages } from './api-pages.mjs';
import { llms } from './llms.mjs';
import { pageText } from './markdown.mjs';
import { addressOf, pageOf, placeOf, ROOT } from './places.mjs';
import { problemPages } from './problem-pages.mjs';

/** The files of the repository below a folder, or of a kind. */
const filesOf = (pattern) =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', pattern], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

/** All pages by the files that they are, and the files that they show or link to, by their addresses. */
export function site() {
  const [pages, others, folders] = [new Map(), new Map(), new Map()];
  const onFile = (file, address) => (address.endsWith('/') ? folders : others).set(address, file);
  for (const file of filesOf('*.md')) {
    const page = pageOf(file);
    if (page) pages.set(page, pageText(readFileSync(ROOT + file, 'utf8'), file, onFile));
  }
  const openapi = JSON.parse(readFileSync(`${ROOT}openapi.json`, 'utf8'));
  const generated = [...apiPages(openapi), ...problemPages(openapi, onFile), ['adr/index.md', decisions(pages)]];
  const texts = new Map([...pages].map(([page, text]) => [addressOf(page), text]));
  const lists = [...folders].map(([address, folder]) => [`${address.slice(1)}index.md`, fileList(folder, onFile)]);
  return { pages: new Map([...pages, ...generated, ...lists]), others, texts };
}

/** The files of a folder that a document links to. */
function fileList(folder, onFile) {
  const links = filesOf(folder).map((file) => {
    const { address } = placeOf(basename(file), file);
    onFile(file, address);
    return `- [${relative(folder, file)}](${address})`;
  });
  return `# Files of \`${folder}\`\n\n${links.join('\n')}\n`;
}

/** The decisions, the newest first. */
function decisions(pages) {
  const titles = [...pages]
    .filter(([page]) => /^adr\/\d/.test(page))
    .map(([page, text]) => `- [${/^# (.*)$/m.exec(text)[1]}](${addressOf(page)})`);
  return `# Decisions\n\nEach decision with its reasons, what we refused, and its price.\n\n${titles.toReversed().join('\n')}\n`;
}

/** What only the home page shows, which is no document of the repository. */
const OF_HOME = {
  'icon.svg': 'packages/dashboard/public/icon.svg',
  'images/home-light.png': 'docs/images/home-light.png',
  'images/home-dark.png': 'docs/images/home-dark.png',
};

/** Writes the site into the folder, which it empties. */
export function assemble(folder) {
  const { pages, others, texts } = site();
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  rmSync(folder, { recursive: true, force: true });
  for (const [page, text] of pages) write(page, text);
  for (const [address, text] of texts) write(`public${address}.md`, text);
  for (const [address, file] of others) cpSync(ROOT + file, join(folder, 'public', address), { recursive: true });
  for (const [name, text] of Object.entries(llms(texts))) write(`public/${name}`, text);
  cpSync(new URL('home.md', import.meta.url), join(folder, 'index.md'));
  for (const [name, file] of Object.entries(OF_HOME)) cpSync(ROOT + file, join(folder, 'public', name));
}
