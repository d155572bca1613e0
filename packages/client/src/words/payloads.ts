import type { TaskDetails } from '@waybill/contracts';
import { bytes } from './numbers.js';

/** What a task says of a payload that is stored outside the log, in place of it. */
export const outsideWords = ({ bytes: size, sha256, day }: NonNullable<TaskDetails['payloadOutside']>): string =>
  `${bytes(size)} outside the log since ${day}, SHA-256 ${sha256}`;
