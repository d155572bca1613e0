import { firstOf, useLive } from '../app/live.js';
import { Events } from '../events/events.js';
import { Card } from '../ui/card.js';
import { Shown } from '../ui/shown.js';

/** As many events as the page shows. The command line lists all. */
const MOST = 500;

/** Everything that happened to the queue itself. */
export function HistoryTab({ queue }: { queue: string }) {
  const history = useLive(['queue events', queue], (waybill) => firstOf(waybill.queue(queue).history(), MOST));
  return (
    <Card title="History" aside={history.data?.length === MOST ? `the first ${MOST}` : null} flush>
      <Shown of={history}>{(events) => <Events events={events} />}</Shown>
    </Card>
  );
}
