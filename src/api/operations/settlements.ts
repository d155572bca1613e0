import type { SettleItem, Verdict } from '../../application/claims/settle-tasks.handler.js';
import { LeaseProof } from '../dto/claim.dto.js';
import { Failure, ReportedError, StepCompletion, Success } from '../dto/settlement.dto.js';
import { CompiledValidator, Validator } from '../input/validator.js';

const proofs = new Validator(LeaseProof);

const SHAPES = {
  succeedTask: ['succeed', new CompiledValidator(Success)],
  failTask: ['fail', new CompiledValidator(Failure)],
  completeStep: ['completeStep', new Validator(StepCompletion)],
  reportError: ['reportError', new Validator(ReportedError)],
  returnTask: ['return', proofs],
  confirmCancel: ['confirmCancel', proofs],
} as const satisfies Record<string, readonly [Verdict['type'], Validator<{ token: string }>]>;

export type SettlementOperation = keyof typeof SHAPES;

export const SETTLEMENT_OPERATIONS = Object.keys(SHAPES) as readonly SettlementOperation[];

/** What an operation that settles one task makes of its body. Throws `InvalidInput`. */
export function settlementOf(operation: SettlementOperation, taskId: string, body: unknown): SettleItem {
  const [type, shape] = SHAPES[operation];
  const { token, ...facts } = shape.of(body) as { readonly token: string };
  return { taskId, token, verdict: { ...facts, type } as Verdict };
}
