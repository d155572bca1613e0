import type { Command } from '@nestjs/cqrs';
import type { SettleItem } from '../claims/settlement.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import type { EnqueueItem } from '../tasks/enqueue-item.js';

/** One command of a transaction. `operate`: a person's or a service's command on one task, queue or batch. */
export type Step =
  | { readonly kind: 'enqueue'; readonly item: EnqueueItem }
  | { readonly kind: 'settle'; readonly item: SettleItem }
  | {
      readonly kind: 'operate';
      readonly on: { readonly task: string } | { readonly queue: string } | { readonly batch: string };
      readonly command: (context: CommandContext) => Command<Receipt>;
    };
