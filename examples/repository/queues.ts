import type { Waybill } from '@waybill/client';

export const SUBMISSIONS = 'repository-submissions';
export const JOBS = 'repository-jobs';
/** The working storage: the preset's jobs wait for it before they are provisioned. */
export const STORAGE = 'storage';

/** By default three dead workers fail a job. This example is there to be killed, any number of times. */
const POLICY = { maxLost: 1_000_000 };

/** Defines what the repository needs, once or again. Each queue has the preset of its own name. */
export async function defineRepository(waybill: Waybill): Promise<void> {
  await waybill.resources.define(STORAGE, {
    description: 'Where the files of jobs are until they are stored',
    unit: '%',
  });
  for (const name of [SUBMISSIONS, JOBS]) await waybill.queue(name).define(POLICY, { preset: name });
}
