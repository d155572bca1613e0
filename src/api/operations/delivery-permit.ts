import { Injectable } from '@nestjs/common';
import { CountedQuota } from '../access/counted-quota.js';
import { assertMayDeliver } from '../access/permissions.js';
import type { Call } from './call.js';

interface Ordered {
  readonly mail?: { readonly to: readonly unknown[] };
  readonly webhook?: object;
}

/** Who may order mail and webhooks, and how many, by whatever request. */
@Injectable()
export class DeliveryPermit {
  private readonly quota = new CountedQuota('recipients');

  /** Throws `FORBIDDEN` and `QUOTA_EXCEEDED`. `where`: what of the request orders them. */
  assert({ caller: { principal } }: Call, { mail, webhook }: Ordered, where: string): void {
    assertMayDeliver(principal, where);
    this.quota.take(principal, (mail?.to.length ?? 0) + (webhook ? 1 : 0));
  }
}
