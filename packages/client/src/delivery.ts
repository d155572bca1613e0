import type { DeliveryRequest } from '@waybill/contracts';
import type { CommandOptions } from './caller.js';

/** Either `mail` or `webhook`. A delivery with the `id` of an earlier one is that one. */
export type NewDelivery = Omit<DeliveryRequest, 'reason'>;

export interface DeliveryOptions extends CommandOptions, Pick<DeliveryRequest, 'reason'> {}
