import {
  type ErasureOutlook,
  type ErasureResult,
  Erasures,
  type LegalHold,
} from '../../application/erasures/erasures.port.js';
import { Refused } from '../../application/kernel/application-error.js';

/** With the events in EventStoreDB, which never changes what it has, and without keys. */
export class ImpossibleErasures extends Erasures {
  readonly needApproval = false;

  assertPossible(): never {
    throw new Refused({ code: 'ERASURE_NOT_POSSIBLE', because: 'EventStoreDB' });
  }

  async forbidden(): Promise<LegalHold | null> {
    return this.assertPossible();
  }

  async refusals(): Promise<ReadonlyMap<string, string>> {
    return this.assertPossible();
  }

  async outlook(): Promise<ErasureOutlook> {
    return this.assertPossible();
  }

  async keep(): Promise<void> {
    this.assertPossible();
  }

  async keepToldSince(): Promise<boolean | null> {
    return this.assertPossible();
  }

  async eraseOutbox(): Promise<void> {
    this.assertPossible();
  }

  async forgetRequests(): Promise<void> {
    this.assertPossible();
  }

  async eraseSamples(): Promise<void> {
    this.assertPossible();
  }

  async remaining(): Promise<readonly string[]> {
    return this.assertPossible();
  }

  async erase(): Promise<void> {
    this.assertPossible();
  }

  async isApproved(): Promise<boolean> {
    return this.assertPossible();
  }

  async refuse(): Promise<void> {
    this.assertPossible();
  }

  async result(): Promise<ErasureResult> {
    return this.assertPossible();
  }
}
