import { HistoryCard } from '../events/history.js';

/** Everything that happened to the queue itself. */
export const HistoryTab = ({ queue }: { queue: string }) => (
  <HistoryCard of={`queue ${queue}`} read={(waybill) => waybill.queue(queue).history()} />
);
