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

/** What names an error: `HTTP 503`, `status code 429`, `SQLSTATE 23505`, `signal 9`, `ORA-00942`, `E11000`. */
const CODE =
  /(\b(?:(?:HTTP|http)(?:\/\d(?:\.\d)?)?|[Ss]tatus|[Cc]ode|errno|SQLSTATE|[Ss]ignal)\b[\s:=#(]*\d{1,6}\b|\b[A-Z]+[-_]?\d+\b)/;

/** Ids and numbers, which differ from one failure to the next. */
const VARYING = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+(?:[.,:]\d+)*/gi;

/** What the tasks of a group failed with: its newest message without the numbers of that one task, but with the codes of errors. */
export const groupTitle = ({ message, class: of }: Pick<FailureGroupSummary, 'message' | 'class'>): string =>
  message
    ?.split(CODE)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(VARYING, '…')))
    .join('') ?? WITHOUT_MESSAGE[of];
