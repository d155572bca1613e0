import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decider, type DomainEvent, fold } from '../../src/domain/kernel/decider.js';
import { queueDecider } from '../../src/domain/queue/queue.decider.js';
import { taskDecider } from '../../src/domain/task/task.decider.js';
import * as queue from './queue/examples.js';
import table from './state-table.json' with { type: 'json' };
import { DISPLACED, LAST_STEP, VARIANTS } from './task/cases.js';
import { HISTORIES, LIMITED, RUNNING } from './task/examples.js';

const DOCUMENT = readFileSync(join(__dirname, '../../docs/state-machine.md'), 'utf8');
const DIAGRAMS = [...DOCUMENT.matchAll(/```mermaid\n(.*?)```/gs)].map(([, text]) => text!);

/** `from --> to: command` for each arrow of the diagram and each of its commands. */
const drawn = (diagram: string): string[] =>
  [...diagram.matchAll(/^ *(\S+) --> (\S+): (.*)$/gm)].flatMap(([, from, to, commands]) =>
    commands!.split(', ').map((command) => `${from === '[*]' ? 'unknown' : from} --> ${to}: ${command}`),
  );

/** The transitions that exist: every command tried on every history. */
function real<S extends { readonly status: string }, C extends { readonly type: string }, E extends DomainEvent>(
  decider: Decider<S, C, E, unknown>,
  histories: readonly (readonly E[])[],
  commands: readonly C[],
): string[] {
  const arrows = histories.flatMap((history) => {
    const state = fold(decider, history);
    return commands.flatMap((command) => {
      const decision = decider.decide(command, state);
      if (decision.kind !== 'accepted') return [];
      const { status } = fold(decider, decision.events, state);
      return status === state.status ? [] : [`${state.status} --> ${status}: ${command.type}`];
    });
  });
  return [...new Set(arrows)];
}

describe('docs/state-machine.md', () => {
  it('has a diagram of tasks and one of queues', () => {
    expect(DIAGRAMS).toHaveLength(2);
    for (const diagram of DIAGRAMS) expect(drawn(diagram)).toHaveLength(new Set(drawn(diagram)).size);
  });

  it('shows exactly the transitions of a task, except abort, delete and restore, and says so', () => {
    const histories = [...Object.values(HISTORIES).flat(), ...Object.values(RUNNING), ...Object.values(LIMITED)];
    const commands = [...Object.values(VARIANTS).flat(), ...DISPLACED, ...LAST_STEP];
    const arrows = real(taskDecider, histories, commands).filter(
      (arrow) => !/: (AbortTask|DeleteTask|RestoreTask)$/.test(arrow),
    );
    expect(drawn(DIAGRAMS[0]!).sort()).toEqual(arrows.sort());
    expect(DOCUMENT).toContain('`AbortTask` and `DeleteTask` are not drawn, nor is `RestoreTask`');
  });

  it('shows exactly the transitions of a queue', () => {
    const histories = [...Object.values(queue.HISTORIES), ...queue.MORE_HISTORIES];
    expect(drawn(DIAGRAMS[1]!).sort()).toEqual(real(queueDecider, histories, queue.VARIANTS).sort());
  });

  it('has the same table as the tests', () => {
    const rows = [...DOCUMENT.matchAll(/^\| (.*?) +\| (.*?) *\|$/gm)].map(([, command, cells]) => ({
      command: command!,
      cells: cells!.replace(/ +\| +/g, ' | '),
    }));
    const [head, , ...body] = rows;
    expect(head!.cells).toBe(Object.keys(table.states).join(' | '));
    expect(body.slice(0, table.rows.length)).toEqual(table.rows);
  });

  it('explains every footnote of the table', () => {
    const explained = [...DOCUMENT.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
    expect(explained).toEqual(Object.keys(table.footnotes));
  });
});
