/** The readings that take no moment, by path, and why. Every other one answers as of any moment. */
export const ONLY_PRESENT: Readonly<Record<string, string>> = {
  '/v1/queues/{queue}/policy': 'getQueue has the policy of then',
  '/v1/queues/{queue}/versions': 'says since when each version held',
  '/v1/queues/{queue}/versions/diff': 'compares versions, whenever they held',
  '/v1/queues/{queue}/blame': 'versions say since when each one held',
  '/v1/changes': 'since and until choose two moments',
  '/v1/changes/summary': 'since and until choose two moments',
  '/v1/tasks/{id}/lineage': 'each link names its position',
  '/v1/operations': 'each operation says what has become of it since',
  '/v1/operations/{id}': 'it says what has become of its tasks since',
  '/v1/failures': 'is about the failures up to now',
  '/v1/failures/{group}': 'is about the failures up to now',
  '/v1/overlaps': 'from and to choose a range of the past',
  '/v1/activity': 'since and until choose a part of the log',
  '/v1/queues/{queue}/stats': 'has figures over time; the tally has the counts of then',
  '/v1/queues/{queue}/waits': 'from and to choose a range of the past',
  '/v1/queues/{queue}/retention': 'a preview of what leaves the lists now',
  '/v1/events': 'after and since choose a part of the log',
  '/v1/events/stream': 'after and since choose a part of the log',
  '/v1/system': 'is about the processes that run now',
  '/v1/queue-stats': 'the tally of each queue has the counts of then',
  '/v1/workers': 'who works is not in the log',
  '/v1/projections': 'is about the processes that run now',
  '/v1/api-keys': 'are configured, not recorded',
};

/** What watches over the process, which has no API version. */
export const OPERATIONAL: readonly string[] = ['/healthz/live', '/healthz/ready', '/metrics'];
