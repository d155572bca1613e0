/** How the worker of an item is called that a job has. */
const JOB = 'job:';

/** The name under which the items of a job are leased, until a worker takes the job. There may be any number of them. */
export const workerOfJob = (job: string): string => `${JOB}${job}`;

export const isJob = (worker: string): boolean => worker.startsWith(JOB);
