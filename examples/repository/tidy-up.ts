import type { Waybill } from '@waybill/client';
import { join } from 'node:path';
import { removeFolder } from './folder.js';
import { folderOf, type Job, jobIn, type Repository } from './job.js';
import { JOBS } from './queues.js';

/** Deletes the folders of jobs and submissions that were deleted, also of those before it started. */
export async function tidyUp(waybill: Waybill, at: Pick<Repository, 'root'>, signal: AbortSignal): Promise<void> {
  const ofJobs = async () => {
    for await (const { stream } of waybill.events({ queue: JOBS, type: 'TaskDeleted', follow: true, signal }))
      await folderOf(at, jobIn(await waybill.task(stream.slice('task-'.length)).get())).remove();
  };
  const ofSubmissions = async () => {
    for await (const { data } of waybill.events({ type: 'BatchDeleted', follow: true, signal }))
      await removeSubmission((data as { batch: string }).batch, at);
  };
  await Promise.all([ofJobs(), ofSubmissions()]).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** For a worker whose job was deleted while it wrote: it may have made the folder again. */
export async function removeIfDeleted(waybill: Waybill, job: Job, at: Pick<Repository, 'root'>): Promise<void> {
  if ((await waybill.task(job.id).get()).state === 'deleted') await folderOf(at, job).remove();
  if ((await waybill.batch(job.batch).get()).state === 'deleted') await removeSubmission(job.batch, at);
}

const removeSubmission = (id: string, { root }: Pick<Repository, 'root'>) => removeFolder(join(root, id));
