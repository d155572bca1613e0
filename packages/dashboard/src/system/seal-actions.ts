import type { LogView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { whole } from '../ui/numbers.js';

/** After a backup was restored, for example: without it, nothing is sealed any more. */
export const acceptLoss = ({ size }: NonNullable<LogView['lost']>): Action => ({
  name: 'Accept the loss',
  kind: 'danger',
  needsReason: true,
  about: `The log does not go on from what was sealed with ${whole(size)} leaves. If nobody restored a backup or lost a disk, somebody changed it: look into that first. The log is then sealed as it is, under another name. This stays in it for ever, with the reason.`,
  cli: `waybill log accept-loss --size ${size}`,
  run: (waybill, reason) => waybill.log.acceptLoss(size, reason ?? ''),
});

/** After somebody may have copied the secret key, for example. */
export const newKey = (log: string): Action => ({
  name: 'New key',
  kind: 'danger',
  needsReason: true,
  about: `The notary signs the log '${log}' with its key for the last time, and seals on with another key, under another name. Hand out the new public key then, also to the operators of witnesses. This stays in the log for ever, with the reason.`,
  cli: `waybill log new-key --log ${log}`,
  run: (waybill, reason) => waybill.log.newKey(log, reason ?? ''),
});
