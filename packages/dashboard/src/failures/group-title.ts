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

/** What the tasks of a group failed with, without what differs from one to the next. */
export const groupTitle = ({ title, class: of }: Pick<FailureGroupSummary, 'title' | 'class'>): string =>
  title ?? WITHOUT_MESSAGE[of];
