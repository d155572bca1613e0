import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './tarballs.js';

/** What people copy their first lines from. Tutorials quote files of `examples`, which are compiled with the repository. */
const DOCUMENTS = [
  'README.md',
  'packages/client/README.md',
  'packages/contracts/README.md',
  'packages/otel/README.md',
  'packages/mcp/README.md',
  'packages/testing/README.md',
  ...['docs', 'docs/how-to'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

/** The name of the module that holds a document's TypeScript, by its place in the document. */
export const moduleOf = (document: string, place = 1): string =>
  `${document.replace(/\.md$/, '').replaceAll('/', '-')}-${place}`;

/** Each block of TypeScript in the documents, by the name of the file that holds it. */
export function modulesInDocuments(): ReadonlyMap<string, string> {
  const blocks = DOCUMENTS.flatMap((document) =>
    blocksIn(document).map((block, at) => [`${moduleOf(document, at + 1)}.ts`, block] as const),
  );
  return new Map([...blocks, ['given.d.ts', GIVEN]]);
}

const blocksIn = (document: string): readonly string[] =>
  Array.from(readFileSync(join(ROOT, document), 'utf8').matchAll(/^ *```ts\n(.*?)^ *```$/gms), ([, block]) => block!);

/**
 * What fragments take as given: what the document had before, or the reader's own. A program that declares one of these
 * itself has its own.
 */
const GIVEN = `import type { Json, QueueHandle, Waybill, Worker } from '@waybill/client';

declare global {
  const waybill: Waybill;
  const worker: Worker;
  const functions: ReturnType<Waybill['functions']>;
  const queue: QueueHandle;
  const mail: QueueHandle;

  const id: string;
  const taskId: string;
  const token: string;
  const reminder: string;
  const url: string;
  const folder: string;
  const count: number;
  const payload: Json;
  const assets: { readonly id: string };
  const failed: { readonly filter: { readonly queue: string; readonly state: 'failed' } };
  const links: { readonly id: string };
  const other: { readonly id: string };
  const files: AsyncIterable<{ readonly path: string }>;
  const body: string;
  const request: { readonly headers: Record<string, string> };
  interface Order {
    readonly total: number;
  }

  const handler: () => Promise<void>;
  const manifest: (url: string) => AsyncIterable<{ readonly name: string }>;
  const licencesInUse: () => number;
  const shrink: (response: Response) => Promise<number>;
  const download: (url: string, signal: AbortSignal) => Promise<number>;
  const hashOf: (content: unknown) => Promise<string>;
  const inventory: { save(...what: unknown[]): Promise<Json> };
  const metrics: { readonly lost: { add(count: number, labels: object): void } };
}
`;
