import { NAME } from '../../domain/kernel/patterns.js';
import { MOST_LIMITED_VALUES } from '../../domain/queue/queue.policy.js';
import { GROUP_ID } from '../../domain/task/failures.events.js';
import { shape } from '../input/shape.js';

export const QUEUE_NAME = shape(
  NAME,
  "a name of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit",
);

/** The places in payloads by which a queue is searched. */
export const SEARCH_PATHS = {
  items: 10,
  max: 100,
  pattern: shape(
    /^[^\s:<>",.]+(\.[^\s:<>",.]+)*$/,
    'names with dots between them, such as order.id, without spaces and the characters : < > " and ,',
  ),
} as const;

export const SHA256 = shape(/^[0-9a-f]{64}$/, 'a SHA-256 in lower-case hex');

/** The field that names a group of failures. */
export const FAILURE_GROUP = {
  max: 16,
  pattern: shape(GROUP_ID, 'the id of a group of failures, such as g3fa9c01d22b7e48'),
  example: 'g3fa9c01d22b7e48',
} as const;

/** A filter for a label: `name:value`. */
export const LABEL_FILTER = shape(/^[^:]+:/, "a label as 'name:value'");

/** One address of mail. Without line breaks and commas, it can be nothing else in a header. */
export const MAIL_ADDRESS = shape(/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/, "an address such as 'ann@example.com'");

/** Without a user name, which would put a password into events. */
export const WEBHOOK_URL = shape(
  /^https?:\/\/[^\s/?#@\\]+([/?#]\S*)?$/,
  "an address such as 'https://example.com/hook', without a user name",
);

/** The most characters in text fields, and other limits of requests. */
export const Limits = {
  limitedValues: MOST_LIMITED_VALUES,
  weights: 1_000,
  needs: 20,
  key: 512,
  queue: 100,
  waitsFor: 100,
  kind: 200,
  kinds: 100,
  reference: 512,
  description: 4_096,
  reason: 1_024,
  worker: 200,
  build: 100,
  traceContext: 512,
  /** An actor that contains the name of an API key. */
  actor: 400,
  step: 100,
  signal: 100,
  /** Of a step, for one signal. The bound of a history comes first. */
  waits: 1_000,
  token: 128,
  cursor: 2_048,
  /** A name or a key of the log, or a seal with the cosignatures of witnesses. */
  note: 32_768,
  search: 2_048,
  errorMessage: 32_768,
  batch: 1_000,
  page: 500,
  steps: 100,
  priorityRules: 100,
  /** Of a task's progress. */
  bars: 50,
  title: 200,
  /** Of what a handler says: lines of a heartbeat, and characters of a line. */
  lines: 100,
  line: 4_096,
  lineNumber: 2 ** 31 - 1,
  prerequisites: 10_000,
  /** Of mail. */
  recipients: 50,
  address: 320,
  subject: 500,
  text: 65_536,
  url: 2_048,
  eventType: 200,
  waitMs: 60_000,
  /** The longest life of a follow token, which nobody can take back. */
  followMs: 86_400_000,
  leaseMs: { min: 1_000, max: 12 * 3_600_000 },
  /** A priority is stored in 32 bits. */
  priority: { min: -(2 ** 31), max: 2 ** 31 - 1 },
  takeoverSeconds: { min: 1, max: 12 * 3_600 },
  /** Up to a year. The sweeper ends a wait within a fraction of a second. */
  ttlMs: { min: 1, max: 366 * 86_400_000 },
  delayMs: 366 * 86_400_000,
  gatherMs: { min: 0, max: 366 * 86_400_000 },
} as const;

/** Ten years: longer is as good as never, which is null. */
export const DAYS_KEPT = { min: 0, max: 3650 } as const;
/** What is erased never comes back, so there is a day to notice. */
export const EXPIRE_DAYS = { min: 1, max: 3650 } as const;
