import type { MeView } from '@waybill/client';

/** What a command needs: a permission, and the queue that it stays in. Without a queue, a key for some queues never has it. */
export interface Need {
  readonly permission: 'read' | 'enqueue' | 'work' | 'deliver' | 'operate' | 'erase' | 'audit';
  readonly queue?: string;
}

/** Whether the caller may do it, as the service would say. */
export const allows = ({ may }: Pick<MeView, 'may'>, { permission, queue }: Need): boolean =>
  may.includes(permission) || (queue !== undefined && may.includes(`${permission}:${queue}`));
