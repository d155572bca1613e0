import { derivedId } from '@waybill/client';
import { Fields } from './fields.js';
import { type Row } from './read-rows.js';

/** `offered`: it waits for a robot. The others are history. */
export type ItemEnd = 'offered' | 'done' | 'failed' | 'deleted';

/** An item of the table. Whatever has no place in a task is a label. */
export interface ImportedItem {
  readonly line: number;
  readonly id: string;
  readonly queue: string;
  readonly end: ItemEnd;
  /** Whether a robot had it, so that it is offered again. */
  readonly wasRunning: boolean;
  readonly reference?: string;
  readonly priority?: number;
  readonly payload?: unknown;
  readonly labels: Readonly<Record<string, string>>;
  readonly result: unknown;
  readonly error: string;
}

const LABELS = ['retries', 'locked_by_robot_id', 'locked_at', 'job_id', 'created_at', 'updated_at'];

const COLUMNS = 'id queue_id queue reference status priority payload result error_message'.split(' ').concat(LABELS);

/** How the statuses of the table end. Their case does not matter. */
const STATUSES: Readonly<Record<string, ItemEnd>> = {
  new: 'offered',
  in_progress: 'offered',
  done: 'done',
  failed: 'failed',
  deleted: 'deleted',
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** `queueOf`: the name of the queue that a row names by `queue_id` or `queue`; null if there is none. */
export async function itemIn(
  row: Row,
  queueOf: (named: string) => Promise<string | null>,
  custom: ReadonlyMap<string, string>,
): Promise<ImportedItem> {
  const fields = new Fields(row, COLUMNS);
  const named = fields.text('queue') ?? fields.required('queue_id');
  const queue = (await queueOf(named)) ?? fields.fail('a queue of the table or of the service', `it is '${named}'`);
  const status = (fields.text('status') ?? 'new').toLowerCase();
  const end = endOf(fields, status, custom);
  return {
    line: row.line,
    id: await idOf(fields, queue),
    queue,
    end,
    wasRunning: status === 'in_progress',
    reference: fields.text('reference'),
    priority: fields.whole('priority', Number.MIN_SAFE_INTEGER),
    payload: fields.json('payload'),
    labels: labelsOf(fields, status in STATUSES ? undefined : fields.text('status')),
    result: fields.json('result') ?? null,
    error: fields.text('error_message') ?? 'It had failed before the import.',
  };
}

function endOf(fields: Fields, status: string, custom: ReadonlyMap<string, string>): ItemEnd {
  const end = STATUSES[custom.get(status)?.toLowerCase() ?? status];
  if (end !== undefined) return end;
  const known = 'NEW, IN_PROGRESS, DONE, FAILED, DELETED';
  const given = fields.text('status') ?? status;
  return fields.fail(`one of ${known}, or --status ${given}=...`, `it is '${given}'`);
}

/** An id that is no UUID leads to the same task at every import. */
async function idOf(fields: Fields, queue: string): Promise<string> {
  const id = fields.required('id').toLowerCase();
  return UUID.test(id) ? id : await derivedId(`import ${queue}`, id);
}

function labelsOf(fields: Fields, customStatus: string | undefined): Record<string, string> {
  const values = LABELS.map((column) => [column.replaceAll('_', '-'), fields.text(column)] as const);
  const all = [...values, ['status', customStatus] as const];
  return Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[`imported-${name}`, value]])));
}
