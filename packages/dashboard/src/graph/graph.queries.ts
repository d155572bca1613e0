import { useLive } from '../app/live.js';

/** How many levels around a task its page shows. */
const NEIGHBOURS = 1;

export const useTaskGraph = (id: string) => useLive(['task graph', id], (waybill) => waybill.task(id).graph());

/** The task, and what is next to it. */
export const useNeighbours = (id: string) =>
  useLive(['neighbours', id], (waybill) => waybill.task(id).graph({ depth: NEIGHBOURS }));

export const useBatchGraph = (id: string) => useLive(['batch graph', id], (waybill) => waybill.batch(id).graph());

/** The graph of a batch for the sake of what keeps it, which is asked for now and again: a large one is dear. */
export const useCause = (id: string) => useLive(['cause', id], (waybill) => waybill.batch(id).graph());
