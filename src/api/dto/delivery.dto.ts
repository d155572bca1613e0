import { AnyJson, Closed, Part, Text, Texts, Uuid } from '../input/fields.js';
import { Limits, MAIL_ADDRESS, QUEUE_NAME, WEBHOOK_URL } from './limits.js';
import { shape } from '../input/shape.js';
import { ReasonRequest } from './reason.dto.js';

@Closed()
export class MailTarget {
  @Texts({ max: Limits.address, min: 1, items: Limits.recipients, pattern: MAIL_ADDRESS, example: ['ann@example.com'] })
  to!: string[];
}

@Closed()
export class WebhookTarget {
  @Text({ max: Limits.url, pattern: WEBHOOK_URL, example: 'https://shop.example.com/hooks/waybill' })
  url!: string;

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    example: 'shop',
    description: 'The name of the secret that signs, in `WAYBILL_WEBHOOK_SECRETS`.',
  })
  secret!: string;
}

@Closed()
export class MailOrder extends MailTarget {
  @Text({ max: Limits.subject, pattern: shape(/^[^\r\n]*$/, `one line of 1 to ${Limits.subject} characters`) })
  subject!: string;

  @Text({ max: Limits.text })
  text!: string;
}

@Closed()
export class WebhookOrder extends WebhookTarget {
  @Text({ max: Limits.eventType, example: 'com.example.stock-counted', description: 'The `type` of the CloudEvent.' })
  type!: string;

  @Text({ max: Limits.reference, optional: true, description: 'The `subject` of the CloudEvent.' })
  subject?: string;

  @AnyJson({ description: 'The `data` of the CloudEvent.' })
  data!: unknown;
}

@Closed()
export class DeliveryRequest extends ReasonRequest {
  @Uuid({
    optional: true,
    description:
      'The id of the delivery; generated if absent. Repeating a request with the same id has no further effect.',
  })
  id?: string;

  @Part(() => MailOrder, { optional: true, description: 'Either this or `webhook` is given.' })
  mail?: MailOrder;

  @Part(() => WebhookOrder, { optional: true })
  webhook?: WebhookOrder;
}
