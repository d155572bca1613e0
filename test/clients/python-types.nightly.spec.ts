import { inClient } from './python.js';

it('the types of the client for Python are whole', () => {
  const { status, stdout } = inClient(
    'mypy',
    '--strict',
    '--no-incremental',
    'src',
    'tests',
    '../../examples/console-celery',
  );
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^Success: no issues found/)]);
});
