import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OperationPreview } from './operation-preview.js';
import { MOST_PREVIEWED, PreviewOperation } from './preview-operation.handler.js';
import type { CommandContext } from '../kernel/command-context.js';
import { OperationRecord } from './operation-record.port.js';
import { StartUndoHandler } from './start-undo.handler.js';
import { withTakenAlong } from './taken-along.js';
import { takesAlong, undoingOf } from './undo-order.js';

/** What the undo of an operation would do with each of its tasks, and what it took along, at most `MOST_PREVIEWED`. Records nothing. Throws `Refused`. */
export class PreviewUndo extends Command<OperationPreview> {
  constructor(
    readonly operation: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(PreviewUndo)
export class PreviewUndoHandler implements ICommandHandler<PreviewUndo> {
  constructor(
    private readonly bus: CommandBus,
    private readonly undos: StartUndoHandler,
    private readonly record: OperationRecord,
  ) {}

  async execute({ operation, context }: PreviewUndo): Promise<OperationPreview> {
    const { order, id: correlationId } = await this.undos.planOf(operation);
    const own = await this.first(operation);
    const undoing = undoingOf(order);
    const together = takesAlong(undoing) ? await withTakenAlong(this.record, own, MOST_PREVIEWED) : undefined;
    const tasks = together?.tasks ?? own;
    return this.bus.execute(new PreviewOperation(tasks, undoing, { ...context, correlationId }, together));
  }

  private async first(operation: string): Promise<readonly string[]> {
    const found: string[] = [];
    for (let last = -1; found.length < MOST_PREVIEWED;) {
      const page = await this.record.pageAfter(operation, last);
      if (page === null) break;
      found.push(...page.tasks);
      last = page.page;
    }
    return found.slice(0, MOST_PREVIEWED);
  }
}
