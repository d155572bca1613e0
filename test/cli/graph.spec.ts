import { describe, expect, it } from '@jest/globals';
import type { TaskGraph } from '@waybill/client';
import { linesOfGraph } from '../../packages/cli/src/terminal/graph.js';
import { paintFor } from '../../packages/cli/src/terminal/paint.js';

const COLOURED = paintFor({ isTTY: true } as NodeJS.WriteStream, {});

const PLAIN = paintFor({ isTTY: false } as NodeJS.WriteStream, {});

const GRAPH: TaskGraph = {
  nodes: [
    { id: 'a', level: 0, kind: 'task', title: 'assets\u001b[2J', queue: 'console', state: 'failed', blocked: false },
    { id: 'b', level: 1, kind: 'task', title: 'tape\nlinks', queue: 'console', state: 'pending', blocked: true },
  ],
  edges: [{ from: 'a', to: 'b', ignore: false, closed: false }],
  cause: ['b', 'a'],
  total: 2,
  folded: false,
  truncated: false,
};

describe('a graph on a terminal', () => {
  it('is coloured, and no title of a task can steer the terminal', () => {
    const [first, second, blocked, ...more] = linesOfGraph(GRAPH, COLOURED);
    expect(first).toBe('\u001b[2m  0\u001b[22m  ✗ assets\uFFFD[2J  failed');
    expect(second).toBe(
      '\u001b[2m  1\u001b[22m  ○ tape ⏎ links  pending, blocked\u001b[2m  after assets\uFFFD[2J\u001b[22m',
    );
    expect(blocked).toBe('Blocked: tape ⏎ links waits for assets\uFFFD[2J, which is failed.');
    expect(more).toEqual([]);
  });

  it('names tasks of the same title by their ids as well', () => {
    const nodes = GRAPH.nodes.map((node) => ({ ...node, title: 'task' }));
    expect(linesOfGraph({ ...GRAPH, nodes }, PLAIN)).toEqual([
      '  0  ✗ task a  failed',
      '  1  ○ task b  pending, blocked  after task a',
      'Blocked: task b waits for task a, which is failed.',
    ]);
  });
});
