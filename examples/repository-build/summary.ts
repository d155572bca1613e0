import { linesOfGraph, type Paint } from '@waybill/cli/terminal';
import { duration, onOneLine, plural } from '@waybill/client/words';
import type { Built, Scenario } from './build.js';

/** Whether every part succeeded that was wanted. */
export const isBuilt = ({ tasks }: Built): boolean =>
  [...tasks.values()].every(({ state }) => state === 'succeeded' || state === 'aborted');

/** What became of the build, for people. */
export function summary(built: Built, scenario: Scenario, seconds: number, paint: Paint): string {
  const named = (state: string): string[] =>
    scenario.nodes.map(({ name }) => name).filter((name) => built.tasks.get(name)!.state === state);
  const line = (name: string, text: string): string => `  ${paint.dim(name.padEnd(12))}${text}`;
  const done = named('succeeded');
  const failed = named('failed').map((name) =>
    line('Failed', `${name}: ${onOneLine(built.tasks.get(name)!.error?.message ?? '')}`),
  );
  const title = isBuilt(built) ? paint.green('Built') : paint.red('Not built');
  return [
    `  ${paint.bold(title)}  ${plural(done.length, 'part')} of ${built.tasks.size} in ${duration(seconds * 1_000)}`,
    ...failed,
    line('Repaired', `${scenario.broken}, ${attempts(built, scenario.broken)}`),
    line('Stopped', `${built.stopped.map((name) => `${name}, ${attempts(built, name)}`).join('; ') || 'nothing'}`),
    line('Aborted', named('aborted').join(', ')),
    line('Run once', done.filter((name) => built.tasks.get(name)!.attempt === 1).join(', ')),
    '',
    '  What waited for what',
    ...linesOfGraph(built.graph, paint).map((text) => `  ${text}`),
    '',
  ].join('\n');
}

const attempts = ({ tasks }: Built, name: string): string => `done in attempt ${tasks.get(name)!.attempt}`;
