import {
  PayloadStore,
  PayloadStoreUnavailable,
  type PayloadPlace,
} from '../../application/kernel/payload-store.port.js';

/** Where the service was started without `WAYBILL_PAYLOAD_STORE`. It has nothing to look after, so it lists nothing and has no fault. */
export class NoPayloadStore extends PayloadStore {
  put(): Promise<void> {
    return notThere();
  }

  get(): Promise<Buffer | null> {
    return notThere();
  }

  delete(): Promise<void> {
    return notThere();
  }

  async list(): Promise<readonly PayloadPlace[]> {
    return [];
  }

  async owner(): Promise<string | null> {
    return null;
  }

  mark(): Promise<void> {
    return notThere();
  }

  async fault(): Promise<string | null> {
    return null;
  }
}

const notThere = (): Promise<never> =>
  Promise.reject(new PayloadStoreUnavailable('the service was started without WAYBILL_PAYLOAD_STORE'));
