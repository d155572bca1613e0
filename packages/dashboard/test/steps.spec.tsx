import { describe, expect, it } from '@jest/globals';
import type { TaskDetails } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { Steps } from '../src/parts/steps.js';

type Shown = Parameters<typeof Steps>[0];
type Stepped = Shown['task'];

const STEPPED: Stepped = {
  queue: 'mail',
  steps: ['a', 'b', 'c'],
  step: 'b',
  lastStep: null,
  state: 'running',
};

/** The class and the words of each step. */
function trackOf(task: Partial<Stepped>, rules: Shown['rules'] = []): string[] {
  const html = render(<Steps task={{ ...STEPPED, ...task }} rules={rules} />);
  return [...html.matchAll(/<li[^>]*class="(\w+)".*?<span[^>]*>([^<]*)</g)].map(
    ([, state, words]) => `${state}: ${words}`,
  );
}

describe('the steps of a task', () => {
  it.each<[TaskDetails['state'], string | null, string[]]>([
    ['pending', null, ['next: next', 'ahead: not begun', 'ahead: not begun']],
    ['pending', 'b', ['done: done', 'next: next', 'ahead: not begun']],
    ['held', 'b', ['done: done', 'next: next, once it is released', 'ahead: not begun']],
    ['running', 'b', ['done: done', 'running: running', 'ahead: not begun']],
    ['failed', 'c', ['done: done', 'done: done', 'failed: failed; a retry begins here']],
    ['undecided', 'a', ['failed: failed; a retry begins here', 'ahead: not begun', 'ahead: not begun']],
    ['cancelled', 'b', ['done: done', 'next: cancelled; a retry begins here', 'ahead: not begun']],
    ['aborted', 'b', ['done: done', 'ended: ended here', 'ahead: not begun']],
    ['succeeded', null, ['done: done', 'done: done', 'done: done']],
  ])('given a %s task at %s, show where it is', (state, step, track) => {
    expect(trackOf({ state, step })).toEqual(track);
  });

  it.each<[TaskDetails['state'], string | null, string[]]>([
    ['failed', 'b', ['done: done', 'failed: failed; BARRED: name another step', 'ahead: not begun']],
    ['running', 'b', ['done: done', 'running: running; BARRED', 'ahead: not begun']],
    ['failed', 'c', ['done: done', 'done: done; BARRED', 'failed: failed; a retry begins here']],
    ['failed', 'a', ['failed: failed; a retry begins here', 'ahead: not begun; BARRED', 'ahead: not begun']],
    ['aborted', 'b', ['done: done', 'ended: ended here', 'ahead: not begun']],
  ])('given a %s task at %s and a step that cannot be resumed, say where no retry begins', (state, step, track) => {
    const words = track.map((each) => each.replace('BARRED', 'no retry may begin here'));
    expect(trackOf({ state, step }, ['a', { name: 'b', resumable: false }, 'c'])).toEqual(words);
  });

  it('begin at the first, also if it cannot be resumed, while the task has not entered it', () => {
    const [first] = trackOf({ state: 'cancelled', step: null }, [{ name: 'a', resumable: false }]);
    expect(first).toBe('next: cancelled; a retry begins here');
  });

  it('are all done if the task was deleted after the last', () => {
    const deleted = trackOf({ state: 'deleted', step: null, lastStep: 'c' });
    expect(deleted).toEqual(['done: done', 'done: done', 'done: done']);
  });

  it('lead to the tasks in the same step', () => {
    const html = render(<Steps task={{ ...STEPPED, steps: ['a b'], step: 'a b' }} rules={[]} />);
    expect(html).toContain('href="#/tasks?queue=mail&amp;step=a+b"');
    expect(html).toContain('aria-current="step"');
  });

  it('are not shown for a task without steps', () => {
    expect(render(<Steps task={{ ...STEPPED, steps: [], step: null }} rules={[]} />)).toBe('');
  });
});
