import type { TaskLogLine } from '@waybill/contracts';
import { byteLength, encodeJson } from '../json.js';
import { describe } from './thrown.js';
import { recordedBy } from './verdicts.js';

export interface LogOptions {
  /** `info` if absent. */
  readonly level?: TaskLogLine['level'];
  /** What belongs to the line, such as the number of an order. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The service's limits. It would refuse the heartbeats of all tasks that come with a line beyond them. */
const LINES_AT_ONCE = 100;
const TEXT_CHARACTERS = 4_096;
const FIELD_BYTES = 4_096;

/** While the service does not answer, the newest lines wait for it. It keeps no more of a task. */
const MOST_UNSENT = 1_000;

/** The most rounds that send all lines of an attempt. */
export const ROUNDS = MOST_UNSENT / LINES_AT_ONCE;

/** What the handler of one attempt said, and the service has not answered yet. */
export class LogLines {
  private unsent: TaskLogLine[] = [];
  private count = 0;

  get hasUnsent(): boolean {
    return this.unsent.length > 0;
  }

  /** The next lines to send. */
  get next(): TaskLogLine[] {
    return this.unsent.slice(0, LINES_AT_ONCE);
  }

  /** Text and fields that are too long are cut: a line of a log fails no task. */
  add(at: string, text: string, options: LogOptions = {}): TaskLogLine {
    const { level = 'info', fields } = recordedBy('run.log', options);
    const line = { number: ++this.count, at, level, text: cut(text), ...(fields && { fields: fitting(fields) }) };
    this.unsent.push(line);
    if (this.unsent.length > MOST_UNSENT) this.unsent.shift();
    return line;
  }

  /** The service has these. */
  answered(lines: readonly TaskLogLine[]): void {
    const upTo = lines.at(-1)?.number ?? 0;
    this.unsent = this.unsent.filter(({ number }) => number > upTo);
  }
}

function cut(text: unknown): string {
  const said = typeof text === 'string' ? text : describe(text);
  return said.length <= TEXT_CHARACTERS ? said : `${said.slice(0, TEXT_CHARACTERS - 1)}…`;
}

/** As JSON has them; the beginning of their text if they are too large, and why if they cannot be read. */
function fitting(fields: Readonly<Record<string, unknown>>): NonNullable<TaskLogLine['fields']> {
  try {
    const text = encodeJson(fields);
    if (byteLength(text) <= FIELD_BYTES) return JSON.parse(text) as NonNullable<TaskLogLine['fields']>;
    return { cut: text.slice(0, FIELD_BYTES / 4) };
  } catch (error) {
    return { unreadable: cut(describe(error)).slice(0, FIELD_BYTES / 4) };
  }
}
