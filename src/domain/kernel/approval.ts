import { mayBeOne } from './principal.js';

/** What the history of an order says of who gave it, and who released it. */
interface OrderStep {
  readonly type: string;
  readonly data: object;
  readonly actor: string;
}

/** The release by somebody other than who gave the order of an erasure, which approves it. */
export function approvalIn<Step extends OrderStep>(history: readonly Step[]): Step | undefined {
  const [order] = history;
  if (!order) return undefined;
  const { heldBy = { by: order.actor } } = order.data as { readonly heldBy?: { readonly by: string } };
  const isApproval = ({ type, data }: Step): boolean =>
    type === 'TaskReleased' && !mayBeOne((data as { readonly by: string }).by, heldBy.by);
  return history.find(isApproval);
}
