import { asChild } from '../../src/index.js';

/** What a handler in a process of its own can report that cannot be recorded, by name. */
const ILLEGAL: Readonly<Record<string, (run: any) => unknown>> = {
  'a result': () => ({ order: 1n }),
  'a step': (run) => run.completeStep('one', { result: NaN }),
  progress: (run) => (run.progress('', { end: 1, position: 0 }), new Promise(() => undefined)),
};

export default asChild<{ readonly name: string }>(({ payload }, run) => ILLEGAL[payload.name]!(run));
