// A page of each code, at the address that is its problem's `type`, from the sections of `docs/reference/problems.md`.
import { readFileSync } from 'node:fs';
import { anchorOf, ROOT } from './places.mjs';
import { codesOf, operationsOf, problemAddress } from './api-pages.mjs';
import { pageText } from './markdown.mjs';

export const FILE = 'docs/reference/problems.md';

/** What the service answers, by code, as `test/api/problems.spec.ts` has recorded it. */
const EXAMPLES = JSON.parse(readFileSync(new URL('problem-examples.json', import.meta.url), 'utf8'));

const example = (code) =>
  EXAMPLES[code] ? `## An answer\n\n\`\`\`json\n${JSON.stringify(EXAMPLES[code], null, 2)}\n\`\`\`\n\n` : '';

/** What the reference says of each code, by code. */
export const problemSections = () =>
  new Map(
    Array.from(
      readFileSync(ROOT + FILE, 'utf8').matchAll(/^### ([A-Z_]+)\n\n([\s\S]*?)(?=^#|(?![\s\S]))/gm),
      ([, code, text]) => [code, text.trim()],
    ),
  );

/** The pages, by the files that they are. */
export function problemPages(document, onFile) {
  const operations = operationsOf(document);
  return new Map(
    [...problemSections()].map(([code, text]) => {
      const by = operations.filter((operation) => codesOf(operation).includes(code));
      const list = by.map(
        ({ summary, method, path, tags }) =>
          `- [${summary}](/api/${tags[0]}#${anchorOf(summary)}): \`${method} ${path}\``,
      );
      const operationsThat = list.length === 0 ? '' : `## Operations that answer so\n\n${list.join('\n')}\n`;
      const page = `# \`${code}\`\n\n${pageText(text, FILE, onFile)}\n\n${example(code)}${operationsThat}\n[All codes](/reference/problems)\n`;
      return [`${problemAddress(code).slice(1)}.md`, page];
    }),
  );
}
