import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { bulkCommand } from '../../application/bulk-operations/bulk-command.js';
import type { BulkOrder } from '../../application/bulk-operations/bulk-operation.js';
import type { OperationPreview as Preview } from '../../application/bulk-operations/operation-preview.js';
import { MOST_PREVIEWED, PreviewOperation } from '../../application/bulk-operations/preview-operation.handler.js';
import { PreviewUndo } from '../../application/bulk-operations/preview-undo.handler.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { Past } from '../../projections/kernel/past.port.js';
import { ListTasks, type TaskFilter, type TaskPage } from '../../projections/tasks/tasks.queries.js';
import type { OperationPreview } from '../dto/operation-preview.dto.js';
import { InvalidInput } from '../input/invalid-input.js';
import { SEARCHED_IN } from './bulk-operation.js';
import { asReadProblem } from './past-reads.js';
import { filterOf } from './task-filter.js';

const PER_PAGE = 500;

/** Previews of commands for many tasks, and the positions that they name. */
@Injectable()
export class BulkPreviews {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly past: Past,
  ) {}

  /** What the order would do with the first tasks that it is for. */
  async of(order: BulkOrder, context: CommandContext): Promise<OperationPreview> {
    const tasks = order.tasks ? [...new Set(order.tasks)] : await this.first(filterOf(order.filter ?? {}, SEARCHED_IN));
    const command = bulkCommand({ ...order, reason: context.reason, expected: tasks.length, by: context.actor });
    if (command.type === 'RunAgain') throw invalid('/preview', 'Expected true or false with runAgain, but got decided');
    return shown(await this.commands.execute(new PreviewOperation(tasks, command, context)));
  }

  /** What the undo of an operation would do with the first of its tasks. */
  async ofUndo(operation: string, context: CommandContext): Promise<OperationPreview> {
    return shown(await this.commands.execute(new PreviewUndo(operation, context)));
  }

  /** Throws `InvalidInput` if the log has not reached the position, so that no preview can have named it. */
  async assertNamed(position: string | undefined): Promise<void> {
    if (position === undefined) return;
    const { position: head } = await this.past.now();
    if (BigInt(position) <= head) return;
    throw invalid('/asPreviewed', `Expected the position of a preview, but the log has only reached ${head}`);
  }

  private async first(filter: TaskFilter): Promise<readonly string[]> {
    const found: string[] = [];
    for (let cursor: string | null = null; found.length < MOST_PREVIEWED;) {
      const page: TaskPage = await this.queries
        .execute(new ListTasks(filter, cursor, PER_PAGE))
        .catch(asReadProblem(SEARCHED_IN));
      const meant = page.items.filter(({ queue }) => filter.queue !== undefined || !isReserved(queue));
      found.push(...meant.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    return found.slice(0, MOST_PREVIEWED);
  }
}

const shown = ({ position, waiters, moves, examples, ...counts }: Preview): OperationPreview => ({
  position: String(position),
  ...counts,
  moves: [...moves],
  takenAlong: waiters.aborted,
  unblocked: waiters.unblocked,
  examples: [...examples],
});

const invalid = (pointer: string, detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);
