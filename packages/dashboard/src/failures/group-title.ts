import type { FailureGroupSummary } from '@waybill/client';

const WITHOUT_MESSAGE: Readonly<Record<FailureGroupSummary['class'], string>> = {
  business: 'Refused by the business rules, without a message',
  application: 'Failed in the application, without a message',
  transient: 'A passing failure, without a message',
  bug: 'A bug, without a message',
  lost: 'The worker was lost',
  timeout: 'The attempt took too long',
  expired: 'Expired before it ran',
};

/** Ids and numbers, which differ from one failure to the next. */
const VARYING = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+(?:[.,:]\d+)*/gi;

/** What the tasks of a group failed with: its newest message without the numbers of that one task. */
export const groupTitle = ({ message, class: of }: Pick<FailureGroupSummary, 'message' | 'class'>): string =>
  message?.replace(VARYING, '…') ?? WITHOUT_MESSAGE[of];
