import { DeliveryTargets } from '../application/deliveries/delivery-targets.port.js';

const FAULT = 'Expected a Waybill that sends mail and webhooks, but the test Waybill sends nothing to anybody';

/** Tests reach nobody. */
export class NoTargets extends DeliveryTargets {
  faultIn(): string {
    return FAULT;
  }

  faultInSecret(): string {
    return FAULT;
  }

  faultInMail(): string {
    return FAULT;
  }
}
