import type { Waybill } from '@waybill/client';
import { STEPS } from './job.js';

export const SUBMISSIONS = 'repository-submissions';
export const JOBS = 'repository-jobs';
export const STORAGE = 'working-storage';

/** The first limit decides whether a job waits at all, the second whether there is adequate storage. */
export interface StorageLimits {
  readonly full: number;
  readonly adequate: number;
}

const LIMITS: StorageLimits = { full: 80, adequate: 70 };
/** In the first two steps nothing makes a job fail, however often. */
const FOR_EVER = { onFailure: 'retry', retry: { maxAttempts: 1_000_000 }, maxLost: 1_000_000 } as const;

/** Defines what the repository needs, once or again. */
export async function defineRepository(waybill: Waybill, { full, adequate }: StorageLimits = LIMITS): Promise<void> {
  const resource = { description: 'Where the files of jobs are until they are stored', unit: '%' };
  await waybill.resources.define(STORAGE, resource);
  await waybill.queue(SUBMISSIONS).define({}, { preset: 'repository-submissions' });
  const needs = [full, adequate].map((below) => ({ resource: STORAGE, below }));
  const rules = { Estimating: FOR_EVER, Provisioning: { ...FOR_EVER, needs } };
  const steps = STEPS.map((name) => (name in rules ? { name, ...rules[name as keyof typeof rules] } : name));
  await waybill
    .queue(JOBS)
    .define({ steps, holdsCatch: 'first-claim', onFailure: 'fail', clearFailuresOnSuccess: false });
}
