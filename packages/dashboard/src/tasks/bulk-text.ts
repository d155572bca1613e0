import type { TaskSelection } from '@waybill/client';
import { quoted } from '../actions/quoted.js';
import type { BulkCommand } from './bulk-commands.js';

/** How a command to many tasks is given. */
export interface BulkOptions {
  readonly reason?: string;
  readonly priority?: number;
  /** At most so many tasks a second. */
  readonly perSecond?: number;
  /** So many tasks first, and the others if this share of them succeeds. */
  readonly canary?: { readonly first: number; readonly goOnIf: number };
}

/** The most ids that fit on a line. */
const SHOWN_IDS = 2;

/** The same command for a terminal. */
export function bulkText(
  { command }: Pick<BulkCommand, 'command'>,
  selection: TaskSelection,
  { reason, priority, perSecond, canary }: BulkOptions,
): string {
  return [
    `waybill task ${priority === undefined ? command : `${command} ${priority}`} ${whichOf(selection)}`,
    ...(perSecond ? [`--per-second ${perSecond}`] : []),
    ...(canary ? [`--canary ${canary.first} --go-on-if ${canary.goOnIf}`] : []),
    ...(reason ? [`--reason ${quoted(reason)}`] : []),
  ].join(' ');
}

function whichOf(selection: TaskSelection): string {
  if ('filter' in selection)
    return Object.entries(selection.filter)
      .map(([name, value]) => `--filter ${quoted(`${name}=${String(value)}`)}`)
      .join(' ');
  if (!('tasks' in selection)) return '--filter queue=…';
  const rest = selection.tasks.length > SHOWN_IDS ? ' …' : '';
  return `${selection.tasks.slice(0, SHOWN_IDS).join(' ')}${rest}`;
}
