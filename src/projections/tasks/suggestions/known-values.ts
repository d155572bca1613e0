import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { NamedField } from '../../../domain/search/term.js';
import { failureIn } from '../../../domain/task/failures.events.js';
import { ERROR_CLASSES, TASK_STATUSES, type TaskEvent } from '../../../domain/task/task.events.js';
import { taskStream } from '../../../domain/task/task.stream.js';
import { Past } from '../../kernel/past.port.js';
import { BUILDS, GROUPS, KINDS, LABELS, LABEL_VALUES, PATHS, QUEUES, STEPS, WORKERS } from './statements.js';

/** A value that a search may name. */
export interface Value {
  readonly text: string;
  /** What it stands for, for people. */
  readonly about?: string | null;
}

export interface Asked {
  /** How it begins, in any case of letters. */
  readonly text: string;
  /** Only of these queues; null: of all but those of the service itself. */
  readonly queues: readonly string[] | null;
}

/** Looks up what there is for the fields of a search, by a bounded number of rows for each. */
@Injectable()
export class KnownValues {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  /** The names of labels, or the paths of payloads. */
  namesOf(field: NamedField, asked: Asked): Promise<readonly Value[]> {
    return this.found(field === 'label' ? LABELS : PATHS, asked);
  }

  /** `field`: with its name, such as `label.customer`. There may be none of which the values are known. */
  valuesOf(field: string, asked: Asked): Promise<readonly Value[]> {
    const fixed = FIXED.get(field);
    if (fixed) return Promise.resolve(beginning(fixed, asked));
    const statement = STATEMENTS.get(field);
    if (statement !== undefined) return this.found(statement, asked);
    if (field === 'group') return this.groups(asked);
    return field.startsWith(LABEL) ? this.found(LABEL_VALUES, asked, field.slice(LABEL.length)) : Promise.resolve([]);
  }

  private found(statement: string, { text, queues }: Asked, ...more: readonly string[]): Promise<readonly Value[]> {
    return this.db.query<Value[]>(statement, [queues, text, ...more]);
  }

  /** The groups that failed last, by their ids or by text of their newest messages. */
  private async groups({ text, queues }: Asked): Promise<readonly Value[]> {
    const groups = await this.db.query<Group[]>(GROUPS, [queues]);
    const messages = await this.messagesOf(groups);
    const word = text.toLowerCase();
    return groups
      .map(({ group }, at) => ({ text: group, about: messages[at]! }))
      .filter(({ text: id, about }) => id.startsWith(word) || about?.toLowerCase().includes(word));
  }

  /** As the log has them: null where one was erased, or cannot be read. */
  private async messagesOf(groups: readonly Group[]): Promise<readonly (string | null)[]> {
    const { position: head } = await this.past.now();
    const histories = await this.past.historiesAt(
      groups.map(({ lastTask }) => taskStream(lastTask)),
      head,
    );
    return histories.map((history, at) => {
      const recorded = history.find(({ position }) => String(position) === groups[at]!.position);
      return (recorded && failureIn(recorded.event as TaskEvent)?.message) ?? null;
    });
  }
}

interface Group {
  readonly group: string;
  readonly lastTask: string;
  readonly position: string;
}

const LABEL = 'label.';
const AGES = ['10m', '1h', '24h', '7d'];

const FIXED: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['state', TASK_STATUSES],
  ['error', ERROR_CLASSES],
  ['since', AGES],
  ['until', AGES],
]);

const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['queue', QUEUES],
  ['kind', KINDS],
  ['worker', WORKERS],
  ['step', STEPS],
  ['build', BUILDS],
]);

const beginning = (values: readonly string[], { text }: Asked): readonly Value[] =>
  values.filter((value) => value.startsWith(text.toLowerCase())).map((value) => ({ text: value }));
