import { firstOf, useLive } from '../app/live.js';
import { service } from '../app/service.js';

export const MOST_VERSIONS = 100;

export const useVersions = (name: string) =>
  useLive(['policy versions', name], (waybill) =>
    firstOf(waybill.queue(name).versions({ limit: MOST_VERSIONS }), MOST_VERSIONS),
  );

export const useBlame = (name: string) => useLive(['policy blame', name], (waybill) => waybill.queue(name).blame());

/** Versions never change: their difference is the same at every moment. */
export const usePolicyDiff = (name: string, from: number, to: number) =>
  useLive(['policy diff', name, from, to], () => service(undefined).queue(name).diff(from, to));
