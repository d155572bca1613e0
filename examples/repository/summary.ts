import type { Paint } from '@waybill/cli/terminal';
import { readdir } from 'node:fs/promises';
import { jobIn } from './job.js';
import type { Deposited } from './run.js';

/** What became of the submissions, for their depositor. `mails`: the folder with the reports. */
export async function summary(submissions: readonly Deposited[], mails: string, paint: Paint): Promise<string> {
  const jobs = submissions.flatMap((one) => one.jobs);
  const taken = jobs.filter(({ state }) => state === 'succeeded').length;
  const reports = (await readdir(mails)).filter((name) => name.endsWith('.eml')).length;
  const missing = jobs.length - taken;
  return [
    ...submissions.flatMap((one) => linesOf(one, paint)),
    '',
    `  ${paint.bold('In the repository')}  ${taken} of ${jobs.length} objects. The identifier of each will not change.`,
    ...(missing === 0
      ? []
      : [`  ${paint.bold('Not taken in')}       ${missing}. Mend what is wrong with them, and send them again.`]),
    `  ${paint.bold('Reports')}            ${reports} mails to ann@example.org, kept in ${mails}`,
    '',
  ].join('\n');
}

function linesOf({ batch, jobs }: Deposited, paint: Paint): readonly string[] {
  const title = `  ${paint.bold(batch.name ?? batch.id)}  ${batch.labels.type}, ${batch.succeeded} of ${batch.total} complete`;
  const error = batch.error === null ? [] : [`    ${paint.red('✗')} ${batch.error}`];
  return [title, ...error, ...jobs.map((job) => `    ${lineOf(job, paint)}`)];
}

function lineOf(job: Deposited['jobs'][number], paint: Paint): string {
  const { state, stateName, reference, id, error } = job;
  const name = reference ?? id;
  if (state === 'succeeded') return `${paint.green('✓')} ${name}  ${jobIn(job).data.ark}`;
  return `${paint.red('✗')} ${name}  ${error?.message ?? `It is ${stateName}, and no reason was given`}`;
}
