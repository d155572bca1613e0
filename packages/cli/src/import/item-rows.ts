import { derivedId } from '@waybill/client';
import { ID } from '../full-ids.js';
import { Fields } from './fields.js';
import { type Row } from './read-rows.js';

/** `offered`: it waits for a robot. The others are history. */
export type ItemEnd = 'offered' | 'done' | 'failed' | 'deleted';

/** An item of the table. Whatever has no place in a task is a label. */
export interface ImportedItem {
  readonly line: number;
  readonly id: string;
  /** The id as the file has it, for messages. */
  readonly givenId: string;
  readonly queue: string;
  readonly end: ItemEnd;
  /** Whether a robot had it, so that it is offered again. */
  readonly wasRunning: boolean;
  readonly kind?: string;
  readonly key?: string;
  readonly reference?: string;
  readonly priority?: number;
  /** Until when an offered item may wait, and by when it should be done. */
  readonly limits: Limits;
  readonly payload?: unknown;
  readonly labels: Readonly<Record<string, string>>;
  readonly result: unknown;
  readonly error: string;
}

interface Limits {
  readonly expiresAt?: string;
  readonly ttlMs?: number;
  readonly deadlineAt?: string;
}

const LIMITS = ['expires_at', 'ttl_ms', 'deadline_at'];

/** A year, as in the API. */
const MOST_TTL_MS = 366 * 86_400_000;

const LABELS = ['retries', 'locked_by_robot_id', 'locked_at', 'job_id', 'created_at', 'updated_at'];

export const ITEM_COLUMNS: readonly string[] =
  'id queue_id queue reference status priority kind key labels payload result error_message'
    .split(' ')
    .concat(LIMITS, LABELS);

/** How the statuses of the table end. Their case does not matter. */
export const STATUSES: ReadonlyMap<string, ItemEnd> = new Map([
  ['new', 'offered'],
  ['in_progress', 'offered'],
  ['done', 'done'],
  ['failed', 'failed'],
  ['deleted', 'deleted'],
]);

/** As tables have them. */
export const STATUS_NAMES = [...STATUSES.keys()].map((status) => status.toUpperCase()).join(', ');

/** `queueOf`: the name of the queue that a row names by `queue_id` or `queue`; null if there is none. */
export async function itemIn(
  row: Row,
  queueOf: (named: string) => Promise<string | null>,
  custom: ReadonlyMap<string, string>,
): Promise<ImportedItem> {
  const fields = new Fields(row, ITEM_COLUMNS);
  const named = fields.text('queue') ?? fields.required('queue_id');
  const queue = (await queueOf(named)) ?? fields.fail('a queue of the table or of the service', `it is '${named}'`);
  const status = (fields.text('status') ?? 'new').toLowerCase();
  const end = endOf(fields, status, custom);
  const limits = limitsOf(fields);
  return {
    line: row.line,
    id: await idOf(fields, queue),
    givenId: fields.required('id'),
    queue,
    end,
    wasRunning: status === 'in_progress',
    kind: fields.short('kind', 200),
    key: fields.short('key', 512),
    reference: fields.text('reference'),
    priority: fields.whole('priority', -(2 ** 31), 2 ** 31 - 1),
    limits: end === 'offered' ? limits : {},
    payload: fields.json('payload'),
    labels: {
      ...fields.labels('labels'),
      ...labelsOf(fields, end, STATUSES.has(status) ? undefined : fields.text('status')),
    },
    result: fields.json('result') ?? null,
    error: fields.text('error_message') ?? 'It had failed before the import.',
  };
}

function endOf(fields: Fields, status: string, custom: ReadonlyMap<string, string>): ItemEnd {
  const end = STATUSES.get(custom.get(status)?.toLowerCase() ?? status);
  if (end !== undefined) return end;
  const given = fields.text('status') ?? status;
  return fields.fail(`one of ${STATUS_NAMES}, or --status ${given}=...`, `it is '${given}'`);
}

/** The id of the task. It is derived from an id that is no UUID, so that every import finds the same task. */
async function idOf(fields: Fields, queue: string): Promise<string> {
  const id = fields.required('id').toLowerCase();
  return ID.test(id) ? id : await derivedId(`import ${queue}`, id);
}

/** The time limits as the service takes them: either a time at which the item expires, or how long it may wait after its import. */
function limitsOf(fields: Fields): Limits {
  const [expiresAt, deadlineAt] = [fields.instant('expires_at'), fields.instant('deadline_at')];
  const ttlMs = fields.whole('ttl_ms', 1, MOST_TTL_MS);
  if (expiresAt !== undefined && ttlMs !== undefined)
    fields.fail(
      `'${fields.named('expires_at')}' or '${fields.named('ttl_ms')}'`,
      `there are both: '${fields.text('expires_at')}' and '${fields.text('ttl_ms')}'`,
    );
  const given = { expiresAt, ttlMs, deadlineAt };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** An item that has ended keeps its time limits as labels, because they no longer have an effect. */
function labelsOf(fields: Fields, end: ItemEnd, customStatus: string | undefined): Record<string, string> {
  const columns = end === 'offered' ? LABELS : [...LABELS, ...LIMITS];
  const values = columns.map((column) => [column.replaceAll('_', '-'), fields.text(column)] as const);
  const all = [...values, ['status', customStatus] as const];
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[`imported-${name}`, value]])));
}
