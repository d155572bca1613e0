import type { EventView } from '@waybill/client';
import type { Paint } from './paint.js';
import { wrapped } from './words.js';

/** Details of an event in words. The data are those of the stored events: a type that is not listed has none to show. */
const DETAILS: Readonly<Record<string, (data: Data) => string>> = {
  TaskEnqueued: ({ kind, priority }) => `kind '${kind}', priority ${priority ?? 0}`,
  TaskClaimed: ({ attempt, waitedMs, token }) => `attempt ${attempt}, waited ${ms(waitedMs)}, fencing token ${token}`,
  TaskAttemptFailed: ({ ranMs, error }) => `ran ${ms(ranMs)}; ${error?.class}: ${error?.message}`,
  TaskFailed: ({ decidedBy, final }) => `decided by ${decidedBy}${final ? ', for good' : ''}`,
  TaskSucceeded: ({ ranMs, noChange, result }) =>
    `ran ${ms(ranMs)}; ${noChange ? 'nothing had changed' : JSON.stringify(result ?? null)}`,
  TaskSuperseded: ({ bySuccessOf }) => `by the success of ${bySuccessOf}`,
  TaskLeaseExpired: ({ worker }) => `${worker} did not extend its lease`,
};

interface Data {
  readonly kind?: string;
  readonly attempt?: number;
  readonly token?: string;
  readonly worker?: string;
  readonly priority?: number;
  readonly waitedMs?: number;
  readonly ranMs?: number;
  readonly error?: { readonly class: string; readonly message: string };
  readonly decidedBy?: string;
  readonly final?: boolean;
  readonly noChange?: boolean;
  readonly result?: unknown;
  readonly bySuccessOf?: string;
}

const ms = (value = 0): string => (value < 10_000 ? `${value} ms` : `${(value / 1_000).toFixed(1)} s`);

const COLUMNS = { position: 9, time: 14, event: 19, actor: 14 };

/** A task's events, one or more lines each: position, time, event, who, details. */
export function timeline(events: readonly EventView[], paint: Paint, width: number): string[] {
  const { position, time, event, actor } = COLUMNS;
  const head = [
    'position'.padStart(position - 1),
    ' ',
    'time'.padEnd(time),
    'event'.padEnd(event),
    'who'.padEnd(actor),
  ];
  const indent = 2 + position + time + event + actor;
  return [
    `  ${paint.dim(`${head.join('')}details`)}`,
    ...events.flatMap((each) => {
      const [first = '', ...rest] = wrapped(detailsOf(each), Math.max(20, width - indent));
      return [`  ${columns(each, paint)}${first}`, ...rest.map((text) => ' '.repeat(indent) + text)];
    }),
  ];
}

function columns({ position, recordedAt, type, envelope }: EventView, paint: Paint): string {
  return [
    paint.dim(position.padStart(COLUMNS.position - 1)),
    ' ',
    recordedAt.slice(11, 23).padEnd(COLUMNS.time),
    paint.cyan(type.padEnd(COLUMNS.event)),
    envelope.actor.padEnd(COLUMNS.actor),
  ].join('');
}

const detailsOf = ({ type, data }: EventView): string => DETAILS[type]?.(data as Data) ?? '';
