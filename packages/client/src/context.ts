import type { AsyncLocalStorage } from 'node:async_hooks';

let contexts: AsyncLocalStorage<string> | null = null;

/** Runs `work` within an event: what it enqueues, however deeply, has the event as its context. */
export function within<T>(event: string, work: () => T): T {
  contexts ??= newStorage();
  return contexts.run(event, work);
}

/** The event within which this code runs. Programs without task functions have none, and pay nothing for this. */
export const currentContext = (): string | undefined => contexts?.getStore();

/** Looked up at run time, so that the client can be bundled for browsers. */
function newStorage(): AsyncLocalStorage<string> {
  const { AsyncLocalStorage: Storage } = process.getBuiltinModule('node:async_hooks');
  return new Storage<string>();
}
