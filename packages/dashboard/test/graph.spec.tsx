import { describe, expect, it } from '@jest/globals';
import type { TaskGraph } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Graph, MOST_DRAWN } from '../src/pages/graph.js';
import { Neighbours } from '../src/parts/neighbours.js';
import { textOf } from './text-of.js';

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

const drawn = (seen: TaskGraph): string => /<svg.*<\/svg>/s.exec(render(<Graph graph={seen} />))![0];
const groupOf = (svg: string, id: string): string =>
  svg.split('<g transform').find((part) => part.includes(`>task ${id}<`))!;

describe('a drawn graph', () => {
  it('tells each state in words, beside its colour', () => {
    const svg = drawn(FAILED);
    expect(groupOf(svg, 'first')).toMatch(/class="node task failed cause".*<text class="words"[^>]*>failed</s);
    expect(groupOf(svg, 'busy')).toMatch(/class="node task running".*<text class="words"[^>]*>running, 58 %</s);
    expect(groupOf(svg, 'last')).toMatch(
      /class="node task blocked cause".*<text class="words"[^>]*>blocked, pending</s,
    );
  });

  it('has every task as a link, and marks the path from a blocked task to its cause', () => {
    const svg = drawn(FAILED);
    expect([...svg.matchAll(/<a href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
      '#/tasks/first',
      '#/tasks/busy',
      '#/tasks/between',
      '#/tasks/last',
    ]);
    expect(svg.match(/<path class="edge cause"/g)).toHaveLength(2);
    expect(svg.match(/<path class="edge"/g)).toHaveLength(1);
  });

  it('shows folded tasks as one, which is no link', () => {
    const fold = node('fold', 0, { kind: 'fold', count: 1_234, title: 'pending' });
    const svg = drawn(graph({ nodes: [fold], total: 1_234, folded: true }));
    expect(svg).toContain('1 234 × pending');
    expect(svg).not.toContain('<a ');
  });

  it('is left out if it would be too large to look at, but not its table', () => {
    const nodes = Array.from({ length: MOST_DRAWN + 1 }, (_, n) => node(`n${n}`, n));
    const html = render(<Graph graph={graph({ nodes })} />);
    expect(html).not.toContain('<svg');
    expect(html).toContain('is not drawn');
    expect(html).toContain('href="#/tasks/n400"');
  });
});

describe('the page of a graph', () => {
  it('says in a sentence what a blocked task waits for in the end', () => {
    const text = textOf(<Graph graph={FAILED} />);
    expect(text).toContain('task last waits for task between, which waits for task first: failed.');
    expect(text).toContain('4 tasks, 2 of them blocked.');
    expect(textOf(<Graph graph={{ ...FAILED, cause: [] }} />)).not.toContain('waits for task');
  });

  it('says where the middle of that path is left out', () => {
    expect(textOf(<Graph graph={{ ...FAILED, cause: ['last', 'first'] }} />)).toContain(
      'task last waits for …, which waits for task first: failed.',
    );
  });

  it('has the same tasks as a table, level by level, with what each still waits for', () => {
    const rows = textOf(<Graph graph={FAILED} />).split('Waits for\n')[1]!;
    expect(rows).toBe(
      [
        'task first\nfailed\n0\ningest',
        'task busy\nrunning, 58 %\n0\ningest',
        'task between\nblocked, pending\n1\ningest\ntask first',
        'task last\nblocked, pending\n2\ningest\ntask between, task busy',
      ].join('\n'),
    );
  });

  it('says whether it shows less than there is', () => {
    const text = textOf(<Graph graph={graph({ folded: true, truncated: true, total: 6_000 })} />);
    expect(text).toContain('shown as one. There are more tasks than are shown.');
  });
});

describe('the neighbours of a task', () => {
  it('are what it needs and what needs it, with their states', () => {
    const text = textOf(<Neighbours id="between" graph={FAILED} />);
    expect(text).toBe('Needs\ntask first failed\nNeeded by\ntask last blocked, pending\nGraph of all of them');
    expect(render(<Neighbours id="between" graph={FAILED} />)).toContain('href="#/tasks/between/graph"');
  });

  it('are not shown if there are none', () => {
    expect(render(<Neighbours id="alone" graph={graph({ nodes: [node('alone', 0)] })} />)).toBe('');
  });
});
