import { expect } from '@jest/globals';
import { WaybillError } from '@waybill/client';

/** The refusal with which the call ends. */
export async function refusalOf(call: Promise<unknown>): Promise<WaybillError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WaybillError);
  return error as WaybillError;
}
