import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Whatever people read: all of the documents but the decisions and the changelog, which speak of what was. */
export const PAGES: readonly string[] = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !path.startsWith('docs/adr/') && path !== 'CHANGELOG.md');

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

export interface Block {
  /** The page, and the line where the block begins. */
  readonly place: string;
  readonly text: string;
}

/** The blocks of code in one of the languages, without the indentation of the list that they stand in. */
export const blocksIn = (...languages: readonly string[]): readonly Block[] =>
  PAGES.flatMap((page) =>
    Array.from(textOf(page).matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms))
      .filter(([, , language]) => languages.includes(language!))
      .map(({ 1: indent, 3: text, index }) => ({
        place: `${page}:${textOf(page).slice(0, index).split('\n').length}`,
        text: text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      })),
  );

/** What pages say in the middle of a sentence, and begins so. */
export const wordsIn = (beginning: RegExp): readonly Block[] =>
  PAGES.flatMap((page) =>
    Array.from(
      textOf(page)
        .replaceAll(/^ *```.*?^ *```$/gms, '')
        .matchAll(/`([^`\n]+)`/g),
      ([, text]) => text!,
    )
      .filter((text) => beginning.test(text))
      .map((text) => ({ place: page, text })),
  );
