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

/** What the tasks of a group failed with. */
export const groupTitle = ({ message, class: of }: Pick<FailureGroupSummary, 'message' | 'class'>): string =>
  message ?? WITHOUT_MESSAGE[of];
