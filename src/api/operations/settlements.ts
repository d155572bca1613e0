import type { SettleItem, Verdict } from '../../application/claims/settle-tasks.handler.js';
import { LeaseProof } from '../dto/claim.dto.js';
import { Failure, ReportedError, StepCompletion, Success } from '../dto/settlement.dto.js';
import { HotShape, Shape } from '../input/shapes.js';

const proofs = new Shape(LeaseProof);

const SHAPES = {
  succeedTask: ['succeed', new HotShape(Success)],
  failTask: ['fail', new HotShape(Failure)],
  completeStep: ['completeStep', new Shape(StepCompletion)],
  reportError: ['reportError', new Shape(ReportedError)],
  handBackTask: ['handBack', proofs],
  confirmCancel: ['confirmCancel', proofs],
} as const satisfies Record<string, readonly [Verdict['type'], Shape<{ token: string }>]>;

export type SettlementOperation = keyof typeof SHAPES;

export const SETTLEMENT_OPERATIONS = Object.keys(SHAPES) as readonly SettlementOperation[];

/** What an operation that settles one task makes of its body. Throws `InvalidInput`. */
export function settlementOf(operation: SettlementOperation, taskId: string, body: unknown): SettleItem {
  const [type, shape] = SHAPES[operation];
  const { token, ...facts } = shape.of(body) as { readonly token: string };
  return { taskId, token, verdict: { ...facts, type } as Verdict };
}
