/** The most tasks and batches that one graph reads. */
export const MOST_READ = 5_000;
