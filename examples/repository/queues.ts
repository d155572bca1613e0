import type { QueueHandle, Waybill } from '@waybill/client';

export const SUBMISSIONS = 'repository-submissions';
export const JOBS = 'repository-jobs';
/** The working storage: the preset's jobs wait for it before they are provisioned. */
export const STORAGE = 'storage';
/** File systems of their own, for jobs that ask for one. The gauge is how many are in use. */
export const DEDICATED = 'dedicated-storage';
const MOST_DEDICATED = 2;

/** Instead of `Provisioning`, in jobs that ask for a file system of their own. */
export const OWN_PROVISIONING = 'Provisioning (dedicated)';
/** The steps of such a job. Others have those of the preset. */
export const STEPS_OF_OWN = ['Estimating', OWN_PROVISIONING, 'Downloading', 'Processing', 'Recording', 'Notify'];

/** By default three dead workers fail a job. This example is there to be killed, any number of times. */
const POLICY = { maxLost: 1_000_000 };

/** Defines what the repository needs, once or again. Each queue has the preset of its own name. */
export async function defineRepository(waybill: Waybill): Promise<void> {
  await waybill.resources.define(STORAGE, {
    description: 'Where the files of jobs are until they are stored',
    unit: '%',
  });
  await waybill.resources.define(DEDICATED, {
    description: 'Jobs that have a file system of their own',
    unit: 'in use',
  });
  for (const name of [SUBMISSIONS, JOBS]) await waybill.queue(name).define(POLICY, { preset: name });
  await addOwnProvisioning(waybill.queue(JOBS));
}

/** Adds the step to those of the preset, with the rules of the one that it stands for. */
async function addOwnProvisioning(jobs: QueueHandle): Promise<void> {
  const { policy, policyVersion: ifVersion } = await jobs.get();
  const steps = policy.steps.flatMap((step) =>
    typeof step === 'string' || step.name !== 'Provisioning' ? [step] : [step, { ...step, ...OWN }],
  );
  const isThere = policy.steps.some((step) => typeof step !== 'string' && step.name === OWN_PROVISIONING);
  if (!isThere) await jobs.changePolicy({ steps }, { ifVersion });
}

const OWN = { name: OWN_PROVISIONING, optional: true, needs: [{ resource: DEDICATED, below: MOST_DEDICATED }] };
