import { firstOf, useLive } from '../app/live.js';

export const MOST_VERSIONS = 100;

export const useVersions = (name: string) =>
  useLive(['policy versions', name], (waybill) =>
    firstOf(waybill.queue(name).versions({ limit: MOST_VERSIONS }), MOST_VERSIONS),
  );

export const useBlame = (name: string) => useLive(['policy blame', name], (waybill) => waybill.queue(name).blame());

export const usePolicyDiff = (name: string, from: number, to: number) =>
  useLive(['policy diff', name, from, to], (waybill) => waybill.queue(name).diff(from, to));
