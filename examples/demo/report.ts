import { relative } from 'node:path';
import { type Paint, timeline } from '@waybill/cli/terminal';
import { byClass, bytes, count, duration, plural, wrapped } from '@waybill/client/words';
import type { FailedFile, Summary } from './summary.js';

/** The summary for people, in lines of at most `width` characters. */
export function report(summary: Summary, paint: Paint, width: number): string {
  const parts = [
    figures(summary, paint),
    queues(summary, paint),
    failures(summary, paint, width),
    history(summary, paint, width),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

const line = (paint: Paint, name: string, ...values: readonly string[]): string =>
  `  ${paint.dim(name.padEnd(12))}${values.filter((value) => value !== '').join(paint.dim(' · '))}`;

function figures(summary: Summary, paint: Paint): string[] {
  const { tasks, seconds, tasksPerSecond, failed, catalogue, peakMemoryBytes } = summary;
  const { duplicates } = catalogue;
  return [
    line(paint, 'Tasks', paint.bold(count(tasks)), duration(seconds * 1_000), `${count(tasksPerSecond)} per second`),
    line(
      paint,
      'Outcome',
      paint.green(`${count(summary.new)} new`),
      `${count(summary.changed)} changed`,
      `${count(summary.unchanged)} unchanged`,
      failed === 0 ? '0 failed' : paint.red(`${count(failed)} failed`) + ` (${byClass(summary.failuresByClass)})`,
    ),
    line(paint, 'Catalogue', plural(catalogue.files, 'file'), bytes(catalogue.bytes)),
    line(
      paint,
      'Duplicates',
      plural(duplicates.groups, 'group'),
      `${plural(duplicates.files, 'file')} too many`,
      `${bytes(duplicates.bytes)} wasted`,
    ),
    line(
      paint,
      'Peak memory',
      `service ${bytes(peakMemoryBytes.service)}`,
      `workers ${peakMemoryBytes.workers.map(bytes).join(' + ')}`,
    ),
  ];
}

function queues({ queues }: Summary, paint: Paint): string[] {
  const width = Math.max(...queues.map(({ queue }) => queue.length));
  return queues.map((figures, at) => {
    const { queue, shows, succeeded, failed, retries, open, nextAt } = figures;
    const parts = [
      ...(succeeded > 0 ? [paint.green(`${count(succeeded)} succeeded`)] : []),
      ...(retries > 0 ? [plural(retries, 'retry', 'retries')] : []),
      ...(failed > 0 ? [paint.red(`${count(failed)} failed`)] : []),
      ...(nextAt ? [`the next one at ${nextAt.slice(11, 16)} UTC`] : open > 0 ? [`${count(open)} open`] : []),
      paint.dim(shows),
    ];
    return line(paint, at === 0 ? 'Queues' : '', `${queue.padEnd(width)}  ${parts.join(paint.dim(' · '))}`);
  });
}

function failures({ failures, failed, folder }: Summary, paint: Paint, width: number): string[] {
  if (failures.length === 0) return [];
  const title = failed > failures.length ? `Failed, ${failures.length} of ${count(failed)}` : 'Failed';
  return [`  ${paint.bold(title)}`, ...failures.flatMap((failure) => failureLines(failure, folder, paint, width))];
}

function failureLines({ key, message, class: kind }: FailedFile, folder: string, paint: Paint, width: number) {
  return [
    `  ${paint.red('✗')} ${shortPath(key, folder, width - 4)}`,
    ...wrapped(`${kind}: ${message}`, width - 4).map((text) => `    ${paint.dim(text)}`),
  ];
}

function history({ history, folder }: Summary, paint: Paint, width: number): string[] {
  if (history === null) return [];
  return [
    `  ${paint.bold('One task’s history')} ${paint.dim(history.task)}`,
    `  ${shortPath(history.key, folder, width - 2)}`,
    ...timeline(history.events, paint, width),
  ];
}

function shortPath(key: string | null, folder: string, width: number): string {
  const path = relative(folder, key ?? '');
  return path.length <= width ? path : `…${path.slice(1 - width)}`;
}

/** What a second terminal needs to know, if the service is not where commands look for it. */
export const elsewhere = (api: string): readonly string[] =>
  api === 'http://127.0.0.1:3000' ? [] : [`export WAYBILL_URL=${api}`];

/** Suggestions for what to do next. */
export function nextSteps(api: string, paint: Paint, width: number, staysUp: boolean): string {
  const docs = paint.cyan(`${api}/docs`);
  const more = `\n  ${' '.repeat(12)}`;
  const curl = [
    `curl ${api}/v1/queues/archive-ingest/tasks \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{"kind": "file", "key": "/etc/hostname"}'`,
  ];
  const lines = staysUp
    ? [
        line(paint, 'Dashboard', paint.cyan(`${api}/dashboard/`)),
        line(paint, 'API docs', docs),
        line(paint, 'Failed', paint.cyan(`${api}/dashboard/#/failures`)),
        line(paint, 'One more', curl.join(more)),
        ...elsewhere(api).map((command) => line(paint, 'First', command)),
        line(paint, 'Watch', 'npx waybill top        # in a second terminal'),
        line(paint, 'Break it', 'npm run demo -- --incident'),
        line(paint, 'Stop', 'Ctrl-C'),
      ]
    : [line(paint, 'API docs', `${docs} while it runs: npm run demo`)];
  const rule = `  ${paint.dim('─'.repeat(width - 2))}`;
  return `${[rule, ...lines, rule].join('\n')}\n`;
}
