import type { BatchHandle, Waybill } from '@waybill/client';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assertDigest } from './files.js';
import { type Digest, KINDS, kindOf, type PayloadKind } from './manifests.js';
import { JOBS, SUBMISSIONS } from './queues.js';
import { receive, type ReceiveRules, type Submission } from './receive.js';

/** What the depositor says about the payload. */
export interface Deposit extends Submission {
  /** Where the payload can be fetched again. */
  readonly url: string;
  readonly digest?: Digest;
  readonly localId?: string;
  readonly ark?: string;
  /** Who gets the reports, as mail. */
  readonly mailTo?: string;
}

type Described = Omit<Deposit, 'payload' | 'mailTo'> & { readonly kind: string };

/** Receives a submission and creates its batch. A submission that is sent again is the same batch. */
export async function submit(waybill: Waybill, deposit: Deposit, rules: ReceiveRules): Promise<BatchHandle> {
  const { payload: _, mailTo, ...described } = deposit;
  const { kind } = await receive(deposit, rules);
  const { id, fileName, profile, submitter } = deposit;
  return waybill.createBatch({
    id,
    name: fileName,
    labels: { profile, submitter, type: kind.name },
    ...(mailTo !== undefined && { reportTo: { mail: { to: [mailTo] } } }),
    plan: { queue: SUBMISSIONS, payload: { ...described, kind: kind.name } satisfies Described },
  });
}

export interface PlanRules {
  readonly root: string;
  readonly kinds?: readonly PayloadKind[];
  /** When the folders of jobs are made: when they are planned, or by their first step. */
  readonly folders: 'planning' | 'first-step';
}

/** Plans submissions: makes the jobs of their payloads. */
export const planWith =
  ({ root, kinds = KINDS, folders }: PlanRules) =>
  async ({ payload }: { readonly payload: Described }, plan: Plan): Promise<void> => {
    const path = join(root, payload.id, payload.fileName);
    if (payload.digest) await assertDigest(payload.fileName, path, payload.digest);
    const text = await readFile(path, 'utf8');
    const { url, fileName, digest = null, localId = null, ark = null } = payload;
    const jobs = kindOf(text, kinds).jobs({ text, url, fileName, digest, localId, ark });
    for (const [number, job] of jobs.entries()) {
      const folder = `job-${number}`;
      if (folders === 'planning') await mkdir(join(root, payload.id, folder, 'files'), { recursive: true });
      const options = { reference: job.localId ?? job.files[0]?.name, labels: { profile: payload.profile } };
      plan.add(JOBS, { folder, batch: payload.id, plan: job }, options);
    }
  };

interface Plan {
  add(queue: string, payload: unknown, options: object): unknown;
}
