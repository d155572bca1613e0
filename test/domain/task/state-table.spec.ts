import { describe, expect, it } from '@jest/globals';
import { fold } from '../../../src/domain/kernel/decider.js';
import type { TaskCommandType } from '../../../src/domain/task/task.commands.js';
import { allowedCommands, taskDecider } from '../../../src/domain/task/task.decider.js';
import { TASK_STATUSES } from '../../../src/domain/task/task.events.js';
import { casesOf, VARIANTS } from './cases.js';
import { CELLS, type Cell, outcomeOn, STATUSES } from './oracle.js';

describe('every command in every status has the effect in the table', () => {
  it('the table has a cell for each', () => {
    expect(STATUSES).toEqual(['unknown', ...TASK_STATUSES]);
    expect(new Set(CELLS.map(({ command }) => command))).toEqual(new Set(Object.keys(VARIANTS)));
    expect(CELLS).toHaveLength(40 * 12);
  });

  it.each(CELLS.map((cell) => [`${cell.command} when ${cell.status}: ${cell.text}`, cell] as const))(
    '%s',
    (_, cell) => {
      const cases = casesOf(cell);
      for (const { history } of cases) expect(fold(taskDecider, history).status).toBe(cell.status);
      const outcomes = cases.map(({ history, command }) => outcomeOn(command, fold(taskDecider, history)));
      expect(new Set(outcomes)).toEqual(cell.outcomes);
    },
  );

  it.each(
    CELLS.filter(({ outcomes }) => outcomes.has('rejected')).map(
      (cell) => [`${cell.command} when ${cell.status}`, cell] as const,
    ),
  )("a refused %s names the task's status", (_, cell) => {
    for (const { history, command } of casesOf(cell)) {
      const decision = taskDecider.decide(command, fold(taskDecider, history));
      if (decision.kind !== 'rejected') continue;
      const { rejection } = decision;
      if (cell.status === 'unknown') expect(rejection).toEqual({ code: 'TASK_NOT_FOUND' });
      else if (rejection.code !== 'FAILURE_IS_FINAL') expect(rejection).toHaveProperty('state', cell.status);
    }
  });
});

describe('the commands that a refusal lists', () => {
  // What is already done for most tasks is offered to nobody, though some record it (footnote 15).
  const records = ({ outcomes }: Cell): boolean =>
    !outcomes.has('alreadyDone') && [...outcomes].some((outcome) => outcome !== 'rejected');

  it.each(TASK_STATUSES)('are those that can record something: %s', (status) => {
    const expected = CELLS.filter((cell) => cell.status === status && records(cell)).map(({ command }) => command);
    expect(new Set<TaskCommandType>(allowedCommands(status))).toEqual(new Set(expected));
    expect(allowedCommands(status)).toHaveLength(expected.length);
  });
});
