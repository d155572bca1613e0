import { describe, expect, it } from '@jest/globals';
import { Steps } from '../src/tasks/steps.js';
import { rendered } from './rendered.js';

const STEPPED = { queue: 'mail', steps: ['a b', 'c'], step: 'a b', lastStep: null, state: 'running' } as const;

describe('the steps of a task', () => {
  it('tell in words and by their places where it is, and lead to the tasks in the same step', async () => {
    const html = await rendered(<Steps task={{ ...STEPPED, steps: [...STEPPED.steps] }} rules={[]} />);
    expect([...html.matchAll(/<span>([^<]*)</g)].map(([, words]) => words)).toEqual(['running', 'not begun']);
    expect(html).toMatch(/<li class="step running" aria-current="step">/);
    expect(decodeURIComponent(html)).toContain('queue:mail+step:"a+b"');
  });

  it('say where no retry may begin', async () => {
    const failed = { ...STEPPED, steps: ['a', 'b'], step: 'b', state: 'failed' } as const;
    const html = await rendered(
      <Steps task={{ ...failed, steps: [...failed.steps] }} rules={['a', { name: 'b', resumable: false }]} />,
    );
    expect(html).toContain('failed; no retry may begin here: name another step');
  });

  it('are not shown for a task without steps', async () => {
    expect(await rendered(<Steps task={{ ...STEPPED, steps: [], step: null }} rules={[]} />)).not.toContain('Steps');
  });
});
