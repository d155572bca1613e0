import { linesOfGraph, type Paint } from '@waybill/cli/terminal';
import type { TaskDetails } from '@waybill/client';
import { age, bytes, count, onOneLine, plural } from '@waybill/client/words';
import { join, relative } from 'node:path';
import type { Ingested } from './ingest.js';

/** What became of the ingest, for people. */
export function summary(ingested: Ingested, paint: Paint): string {
  const graph = ['  What waited for what', ...linesOfGraph(ingested.graph, paint).map((line) => `  ${line}`)];
  return [...(isDone(ingested) ? done(ingested, paint) : stopped(ingested, paint)), '', ...graph, ''].join('\n');
}

/** Whether every task succeeded. */
export const isDone = ({ tasks }: Ingested): boolean => [...tasks.values()].every(({ state }) => state === 'succeeded');

type Result = Readonly<Record<string, any>>;

function done({ folders, tasks, wasDone }: Ingested, paint: Paint): string[] {
  const of = (title: string) => tasks.get(title)!.result as Result;
  const line = (name: string, said: string, ...titles: string[]): string =>
    `  ${paint.dim(name.padEnd(12))}${said}${paint.dim(` · ${took(titles.map((title) => tasks.get(title)!))}`)}`;
  const here = (name: string) => shortPath(join(folders.work, name));
  return [
    `  ${paint.bold(paint.green(wasDone ? 'Ingested before' : 'Ingested'))}  ${folders.folder}`,
    ...(wasDone ? ['  To ingest it anew, name another folder with --work.'] : []),
    line(
      'Listed',
      `${plural(of('asset tree').files, 'file')}, ${bytes(of('asset tree').bytes)}, each with its checksum`,
      'asset tree',
    ),
    line(
      'Linked',
      `${plural(of('tape links').links, 'file')} each for tape, metadata and proxy`,
      'tape links',
      'metadata links',
      'proxy links',
    ),
    line(
      'Archived',
      `${plural(of('tape ingest').verified, 'file')} copied, every copy read back and its checksum verified`,
      'tape ingest',
    ),
    line('Scanned', scanned(of('metadata scan')), 'metadata scan'),
    line(
      'Cleaned up',
      'the link trees for tape and metadata; that for proxy stays',
      'tape clean-up',
      'metadata clean-up',
    ),
    '',
    `  ${paint.dim('Archive'.padEnd(12))}${here('archive')}`,
    `  ${paint.dim('Metadata'.padEnd(12))}${here('metadata.json')}`,
    `  ${paint.dim('Proxy'.padEnd(12))}${here('links/proxy')}`,
  ];
}

/** Relative if it is below the current folder. */
function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}

function scanned({ scanned: files, malformed, types }: Result): string {
  const common = Object.entries(types as Record<string, number>).map(([type, some]) => `${count(some)} ${type}`);
  const some = malformed > 0 ? [...common, `${count(malformed)} malformed`] : common;
  return `${plural(files, 'file')} for metadata${some.length > 0 ? ` (${some.join(', ')})` : ''}`;
}

/** From when the first of them began to when the last one ended. */
function took(tasks: readonly TaskDetails[]): string {
  const began = Math.min(...tasks.map(({ startedAt }) => Date.parse(startedAt!)));
  const ended = Math.max(...tasks.map(({ endedAt }) => Date.parse(endedAt!)));
  return age(ended - began);
}

function stopped({ tasks }: Ingested, paint: Paint): string[] {
  const open = [...tasks].filter(([, { state }]) => state !== 'succeeded' && state !== 'pending');
  const waiting = [...tasks.values()].filter(({ state }) => state === 'pending').length;
  return [
    `  ${paint.bold(paint.red('Not ingested'))}`,
    ...open.map(([title, { state, error }]) => `  ${title} ${state}${error ? `: ${onOneLine(error.message)}` : ''}.`),
    `  ${plural(waiting, 'task waits', 'tasks wait')} for that. Repair it, then run the same command again: it goes on from there.`,
  ];
}
