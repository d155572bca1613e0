import { describe, expect, it } from '@jest/globals';
import { type TaskExplanation, WaybillError } from '@waybill/client';
import { render } from 'preact-render-to-string';
import { stepsOn } from '../src/pages/queue.js';
import { Answered, Asked } from '../src/parts/action.js';
import { STEPS, TaskActions } from '../src/parts/task-actions.js';

describe('a dialog', () => {
  const offered = (error: unknown): string[] =>
    Array.from(
      render(<Answered action={{ name: 'Retry' }} error={error} isBusy={false} onClose={() => {}} />).matchAll(
        /<button[^>]*>([^<]+)</g,
      ),
      ([, name]) => name!,
    );
  const answered = (status: number, code = 'CODE') =>
    new WaybillError({ type: '', title: '', status, code, detail: 'Expected so, but not' });

  it('does not offer a refused action again', () => {
    expect(offered(null)).toEqual(['Retry', 'Back']);
    for (const status of [403, 404, 409, 422]) expect(offered(answered(status))).toEqual(['Close']);
  });

  it('offers an action again that may succeed next time', () => {
    const again = [answered(400, 'INVALID_INPUT'), answered(429), answered(503), new TypeError('Failed to fetch')];
    for (const error of again) expect(offered(error)).toEqual(['Retry', 'Back']);
  });
});

describe('an action of a person', () => {
  it('asks for a reason', () => {
    const html = render(
      <Asked of="task 1" action={{ name: 'Retry', about: 'It goes back to work.' }} preview={null} />,
    );
    expect(html).toContain('<h2>Retry task 1</h2>');
    expect(html).toMatch(/<label>Reason, for the history <input[^>]*maxlength="1024"/i);
  });

  const shut = { state: 'paused', intake: { open: false } } as const;
  const open = { state: 'active', intake: { open: true } } as const;
  it.each([...STEPS, ...stepsOn(shut), ...stepsOn(open)].map((step) => [step.name, step.run] as const))(
    '%s sends the reason to the service',
    async (_, run) => {
      const told: unknown[] = [];
      const handle = new Proxy(
        {},
        {
          get:
            () =>
            async (...given: unknown[]) =>
              void told.push(given.at(-1)),
        },
      );
      await run(handle as never, 'the mail server is being moved');
      expect(told).toEqual([{ reason: 'the mail server is being moved' }]);
    },
  );
});

describe('the actions on a task', () => {
  const offered = (state: TaskExplanation['state'], ...allowed: TaskExplanation['allowed']): string[] => {
    const html = render(<TaskActions id="1" why={{ state, allowed }} onDone={() => {}} />);
    return Array.from(html.matchAll(/<button[^>]*>([^<]+)</g), ([, name]) => name!);
  };

  it('are those that the service allows, deletion included', () => {
    expect(offered('failed', 'RetryTask', 'AbortTask', 'DeleteTask')).toEqual(['Retry', 'Abort', 'Delete']);
  });

  it('do not delete a running task, which the service would refuse', () => {
    expect(offered('running', 'CancelTask', 'AbortTask', 'DeleteTask')).toEqual(['Cancel', 'Abort']);
  });
});
