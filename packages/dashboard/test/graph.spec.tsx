import { describe, expect, it } from '@jest/globals';
import type { TaskGraph } from '@waybill/client';
import { Cause } from '../src/graph/cause.js';
import { sizeOf } from '../src/graph/graph-size.js';
import { GraphDrawing } from '../src/graph/graph-drawing.js';
import { namesOf, rowsOf } from '../src/graph/graph-table.js';
import { nameOf, stateOf } from '../src/graph/node-words.js';
import { rendered, textOf } from './rendered.js';

type Node = TaskGraph['nodes'][number];

const node = (id: string, level: number, more: Partial<Node> = {}): Node => ({
  id,
  level,
  kind: 'task',
  title: `task ${id}`,
  queue: 'ingest',
  state: 'pending',
  blocked: false,
  ...more,
});
const edge = (from: string, to: string, closed = false) => ({ from, to, ignore: false, closed });
const graph = (more: Partial<TaskGraph>): TaskGraph => ({
  nodes: [],
  edges: [],
  cause: [],
  total: more.nodes?.length ?? 0,
  folded: false,
  truncated: false,
  ...more,
});

/** `last` waits for `between`, which waits for `first`, which failed; `busy` runs. */
const FAILED = graph({
  nodes: [
    node('first', 0, { state: 'failed' }),
    node('busy', 0, { state: 'running', percent: 58 }),
    node('between', 1, { blocked: true }),
    node('last', 2, { blocked: true }),
  ],
  edges: [edge('first', 'between'), edge('between', 'last'), edge('busy', 'last')],
  cause: ['last', 'between', 'first'],
});

describe('a drawn graph', () => {
  it('tells each state in words, beside its colour', async () => {
    const html = await rendered(<GraphDrawing graph={FAILED} />);
    const nodes = html.split('data-node="').slice(1);
    expect(nodes.map((part) => part.split('"')[0])).toEqual(['failed', 'running', 'blocked', 'blocked']);
    expect(nodes[0]).toMatch(/<text class="words"[^>]*>failed</);
    expect(nodes[1]).toMatch(/<text class="words"[^>]*>running, 58 %</);
    expect(nodes[2]).toMatch(/<text class="words"[^>]*>blocked, pending</);
  });

  it('has every task as a link, and marks the path from a blocked task to its cause', async () => {
    const html = await rendered(<GraphDrawing graph={FAILED} />);
    expect([...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
      '/tasks/first',
      '/tasks/busy',
      '/tasks/between',
      '/tasks/last',
    ]);
    expect(html.match(/data-cause="true"/g)).toHaveLength(2);
    expect(html.match(/<path [^>]*class="edge/g)).toHaveLength(3);
  });

  it('shows folded tasks as one, which is no link', async () => {
    const fold = node('fold', 0, { kind: 'fold', count: 1_234, title: 'pending' });
    const html = await rendered(<GraphDrawing graph={graph({ nodes: [fold], total: 1_234, folded: true })} />);
    expect(html).toContain('1,234 × pending');
    expect(html).not.toContain('<a ');
    expect([nameOf(fold), nameOf({ ...fold, queue: null })]).toEqual(['ingest', 'pending']);
  });
});

describe('the cause of a blocked task', () => {
  it('is said in a sentence', async () => {
    expect(await textOf(<Cause graph={FAILED} />)).toBe(
      'task last waits for task between, which waits for task first: failed.',
    );
    expect(await textOf(<Cause graph={{ ...FAILED, cause: [] }} />)).toBe('');
  });

  it('says where the middle of the path is left out', async () => {
    expect(await textOf(<Cause graph={{ ...FAILED, cause: ['last', 'first'] }} />)).toBe(
      'task last waits for …, which waits for task first: failed.',
    );
  });
});

describe('the table of a graph', () => {
  it('has the same tasks, level by level, with what each still waits for', () => {
    expect(rowsOf(FAILED).map(({ node: of, awaited }) => [of.id, stateOf(of), namesOf(awaited)])).toEqual([
      ['first', 'failed', ''],
      ['busy', 'running, 58 %', ''],
      ['between', 'blocked, pending', 'task first'],
      ['last', 'blocked, pending', 'task between, task busy'],
    ]);
  });

  it('leaves out what is no longer awaited, and says many names as a number', () => {
    const done = { ...FAILED, edges: [edge('first', 'between', true)] };
    expect(rowsOf(done).flatMap(({ awaited }) => awaited)).toEqual([]);
    expect(namesOf([1, 2, 3, 4, 5].map((n) => node(`${n}`, 0)))).toBe('task 1, task 2, task 3 and 2 others');
  });
});

it('the size of a graph says whether it shows less than there is', () => {
  expect(sizeOf(FAILED)).toBe('4 tasks, 2 of them blocked.');
  expect(sizeOf({ ...FAILED, nodes: [], total: 1 })).toBe('1 task.');
  expect(sizeOf({ ...FAILED, folded: true, truncated: true, total: 6_000 })).toBe(
    '6,000 tasks, 2 of them blocked. Tasks of the same level, queue and state are shown as one. There are more tasks than are shown.',
  );
});
