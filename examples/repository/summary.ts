import type { Paint } from '@waybill/cli/terminal';
import { readdir } from 'node:fs/promises';
import type { Deposited, Job } from './run.js';

/** What became of the submissions, for their depositor. */
export async function summary({ submissions, identifiers, mails }: Deposited, paint: Paint): Promise<string> {
  const arks = new Map([...identifiers].map(([ark, metadata]) => [/^erc\.what: (.+)$/m.exec(metadata)?.[1], ark]));
  const lines = submissions.flatMap(({ batch, jobs }) => [
    `  ${paint.bold(batch.name ?? batch.id)}  ${batch.labels.type}: ${batch.succeeded} of ${batch.total} complete`,
    ...(batch.error === null ? [] : [`    ✗ ${batch.error}`]),
    ...jobs.map((job) => `    ${lineOf(job, arks.get(job.id))}`),
  ]);
  const kept = (await readdir(mails)).filter((name) => name.endsWith('.eml')).length;
  return [...lines, '', `  ${kept} mails in ${mails}`, ''].join('\n');
}

const lineOf = ({ state, reference, id, error }: Job, ark: string | undefined): string =>
  state === 'succeeded'
    ? `✓ ${reference ?? id}  ${ark ?? ''}`
    : `✗ ${reference ?? id}  ${state}: ${error?.message ?? 'no reason was given'}`;
