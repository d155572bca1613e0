import { setTimeout as pause } from 'node:timers/promises';
import type { Handler } from '@waybill/client';

const UPLOAD_MS = 2_000;

/** What `--incident` breaks: uploads that take two seconds, and may take a minute. */
export const VAULT = {
  name: 'archive-vault',
  description: 'Uploads to a vault, each of which takes two seconds.',
  policy: { onFailure: 'fail', maxRunMs: 60_000, concurrency: { perServer: 12 } },
  handler: (): Handler => async (task, run) => {
    await pause(UPLOAD_MS, null, { signal: run.signal });
    return { stored: task.payload };
  },
} as const;
