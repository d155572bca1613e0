import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const RECORDER = fileURLToPath(new URL('recorder.js', import.meta.url));

/** Starts the inventory's process, and again whenever it ends, until the signal. */
export async function keepRecording(url: string, work: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const child = fork(RECORDER, [url, work]);
    const stop = () => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    await once(child, 'exit');
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) await pause(1_000);
  }
}
