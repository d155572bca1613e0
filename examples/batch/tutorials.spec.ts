import { expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Without the indentation, which differs. */
const words = (code: string): string => code.replace(/\s+/g, ' ');

it.each([
  ['console-ingest', 2],
  ['repository-build', 2],
  ['cluster', 4],
])('the tutorial shows the code of %s', async (name, blocks) => {
  const tutorial = await readFile(join(ROOT, `docs/tutorials/${name}.md`), 'utf8');
  const shown = [...tutorial.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm)];
  expect(shown).toHaveLength(blocks);
  for (const [, file, code] of shown) expect(words(await readFile(join(ROOT, file!), 'utf8'))).toContain(words(code!));
});
