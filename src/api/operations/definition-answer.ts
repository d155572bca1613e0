import type { DefinitionReceipt } from '../../application/queues/define-queue.handler.js';
import type { Answer } from '../answer.js';
import { receiptBody, type ReceiptBody } from './receipt-answer.js';

type Standing = DefinitionReceipt['queue'];

export type DefinitionBody = ReceiptBody &
  Pick<DefinitionReceipt, 'outcome' | 'differences'> &
  Omit<Standing, 'name' | 'pause'> & { readonly pause?: Standing['pause'] };

/** What became of a definition, and the queue that stands. */
export function definitionAnswer(receipt: DefinitionReceipt): Answer<DefinitionBody> {
  const { outcome, differences, replayed, queue } = receipt;
  const { name, pause, ...standing } = queue;
  return {
    body: { ...receiptBody(receipt), outcome, differences, ...standing, ...(pause && { pause }) },
    replayed,
    policyVersion: queue.policyVersion,
    ...(outcome === 'created' && { created: `/v1/queues/${name}` }),
  };
}
