/** The readings that take no moment, by path, and why, as their refusals and the reference say. Every other one answers as of any moment. */
export const ONLY_PRESENT: Readonly<Record<string, string>> = {
  '/v1/queues/{queue}/policy': '`GET /v1/queues/{queue}` with `asOf` has the policy of then',
  '/v1/queues/{queue}/versions/diff': 'it compares two versions, and versions never change',
  '/v1/queues/{queue}/waits': '`from` and `to` choose its range',
  '/v1/queues/{queue}/retention': 'it previews what would leave the lists now',
  '/v1/activity': '`since` and `until` choose its part of the log',
  '/v1/changes': '`since` and `until` choose its two moments',
  '/v1/changes/summary': '`since` and `until` choose its two moments',
  '/v1/changes/stream': '`after` chooses where it begins',
  '/v1/tasks/{id}/lineage': 'each link has the position from which on it holds',
  '/v1/tasks/{id}/proof': 'a proof names the seal that it is of',
  '/v1/tasks/{id}/result': '`GET /v1/tasks/{id}` with `asOf` has the result of then',
  '/v1/tasks/{id}/follow': '`GET /v1/tasks/{id}` with `asOf` has what it was then',
  '/v1/tasks/{id}/prerequisites': '`GET /v1/tasks/{id}/graph` with `asOf` has what it waited for then',
  '/v1/erasures/{id}/certificate': 'a certificate names the seals that it is of',
  '/v1/tasks/suggestions': 'it helps to write a search, and suggests what there is now',
  '/v1/overlaps': '`from` and `to` choose its range',
  '/v1/operations': 'it says what has become of the tasks since',
  '/v1/operations/{id}': 'it says what has become of the tasks since',
  '/v1/events': '`after`, `since` and `until` choose its part of the log',
  '/v1/events/stream': '`after` and `since` choose its part of the log',
  '/v1/system': 'no event records who leads, or what fails just now; `GET /v1/system/drain` has the past of the drain',
  '/v1/log': '`GET /v1/log/seals` has the seals of before',
  '/v1/log/export': '`from` and `to` choose its part of the log, and `size` the seal',
  '/v1/log/seals': 'each seal says when it was made',
  '/v1/projections': 'no event records how far a process has read the log',
  '/v1/views': 'a view is how people look today, at whichever moment',
  '/v1/api-keys': 'keys are configured, and no event records them',
  '/v1/me': 'it is about the request itself',
};

/** What watches over the process, which has no API version. */
export const OPERATIONAL: readonly string[] = ['/healthz/live', '/healthz/ready', '/metrics'];
