import { describe, expect, it } from '@jest/globals';
import widthOf from 'string-width';
import { paintFor } from '../../packages/cli/src/terminal/paint.js';
import { Printer } from '../../packages/cli/src/terminal/printer.js';
import { type Column, fields, tableOf } from '../../packages/cli/src/terminal/table.js';

const TERMINAL = { isTTY: true } as NodeJS.WriteStream;
const PLAIN = paintFor(TERMINAL, { NO_COLOR: '1' });
const PIPE = paintFor({ isTTY: false } as NodeJS.WriteStream, {});

interface Row {
  readonly id: string;
  readonly state: string;
  readonly tries: number;
  readonly worker: string | null;
  readonly at: string;
  readonly error: string;
}

const ROW: Row = {
  id: '01a1fd8f-0d7b-74d4-abb0-c0961215f6ed',
  state: 'failed',
  tries: 3,
  worker: 'mailer-1',
  at: '2026-11-28T12:00:00.000Z',
  error: 'transient: no route to the mail server of example.org',
};

const COLUMNS: readonly Column<Row>[] = [
  { title: 'task', of: ({ id }) => id, as: 'id' },
  { title: 'state', of: ({ state }) => state, as: 'state' },
  { title: 'tries', of: ({ tries }) => tries, right: true, drop: 3 },
  { title: 'worker', of: ({ worker }) => worker, drop: 2 },
  { title: 'at', of: ({ at }) => at, drop: 1 },
  { title: 'error', of: ({ error }) => error },
];

const table = (width: number, rows: readonly Row[] = [ROW]): string[] =>
  tableOf(rows, COLUMNS, PIPE, width).split('\n');

describe('a table', () => {
  it.each([40, 60, 80, 100, 120, 200])('is at most %d columns wide, and shows the state and the error', (width) => {
    const [head, line] = table(width);
    expect(widthOf(head!)).toBeLessThanOrEqual(width);
    expect(widthOf(line!)).toBeLessThanOrEqual(width);
    expect(line).toMatch(/failed .*transient/);
  });

  it('shows ids by their ends and then leaves out what matters least, and nothing where there is room', () => {
    expect(table(200)[1]).toBe(`${ROW.id}  failed      3  mailer-1  ${ROW.at}  ${ROW.error}`);
    expect(table(80)[1]).toBe('…1215f6ed  failed  mailer-1  2026-11-28T12:00:00.000Z  transient: no route to t…');
    expect(table(64)[0]).toBe('task       state   error');
    expect(table(40)[1]).toBe('…1215f6ed  failed  transient: no route …');
  });

  it('leaves a column without anything out first', () => {
    expect(table(84, [{ ...ROW, worker: null }])[0]).toBe('task       state   tries  at                        error');
  });

  it('counts the columns of a text, not its letters', () => {
    const line = table(40, [{ ...ROW, error: '郵便番号が見つかりませんでした。もう一度' }])[1]!;
    expect(widthOf(line)).toBeLessThanOrEqual(40);
    expect(line.endsWith('…')).toBe(true);
  });

  it('is whole in a pipe', () => {
    expect(tableOf([ROW], COLUMNS, PIPE)).toContain(`${ROW.id}  failed`);
  });
});

it('a value that is longer than a line has a line for each of its parts on a terminal, and none in a pipe', () => {
  const value = { to: 'ann@example.org', text: 'x'.repeat(80) };
  const printer = (isTTY: boolean) =>
    new Printer({ isTTY, columns: 80 } as NodeJS.WriteStream, { write: () => true }, {}, {});
  expect(printer(true).value(value).split('\n')).toHaveLength(4);
  expect(printer(false).value(value)).toBe(JSON.stringify(value));
  expect(printer(true).value({ to: 'ann' })).toBe('{"to":"ann"}');
  const words = 'word '.repeat(40).trim();
  expect(
    printer(true)
      .wrapped(words, 15)
      .filter((line) => line.length > 65),
  ).toEqual([]);
  expect(printer(false).wrapped(words, 15)).toEqual([words]);
});

describe('on a terminal', () => {
  const minutes = (ago: number): string => new Date(Date.now() - ago * 60_000).toISOString();

  it('times say how long ago they are, unless asked for in UTC', () => {
    const at = minutes(4);
    expect(tableOf([{ ...ROW, at }], COLUMNS, PLAIN)).toContain('4 min ago');
    expect(fields([['ended', at]], PLAIN)).toEqual([`ended  ${at}  4 min ago`]);
    expect(tableOf([{ ...ROW, at }], COLUMNS, paintFor(TERMINAL, { NO_COLOR: '1' }, true))).toContain(at);
    expect(fields([['ended', at]], PIPE)).toEqual([`ended  ${at}`]);
  });

  it('states and events have colours, none of them without', () => {
    const paint = paintFor(TERMINAL, {});
    expect(paint.state('failed')).toBe('\u001b[31mfailed\u001b[39m');
    expect(paint.state('active, no worker')).toContain('\u001b[31m');
    expect(paint.state('succeeded')).toContain('\u001b[32m');
    expect(paint.state('pending')).toBe('pending');
    expect(paint.event('TaskFailed')).not.toBe(paint.event('TaskClaimed').replace('TaskClaimed', 'TaskFailed'));
    expect(PLAIN.state('failed')).toBe('failed');
    expect(tableOf([ROW], COLUMNS, paint)).toContain('\u001b[31mfailed\u001b[39m');
  });
});
