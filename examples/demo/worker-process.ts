import type { Worker } from '@waybill/client';

/** Runs the worker of a process that `WorkerProcesses` forks, and tells it when the worker claims. Resolves once it has stopped. */
export async function workUntilStopped(worker: Worker): Promise<void> {
  // Ctrl-C reaches every process of the terminal. The process that started this one decides when it stops.
  process.on('SIGINT', () => undefined);
  process.on('disconnect', () => void worker.stop());
  const stopped = worker.stopOnSignals(['SIGTERM']);
  await worker.start();
  process.send?.('ready');
  await stopped;
}
