import type { EventView, Waybill } from '@waybill/client';
import { useState } from 'react';
import { firstOf, useLive } from '../app/live.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { Dialog, DialogFoot } from '../ui/dialog.js';
import { Shown } from '../ui/shown.js';
import { Events } from './events.js';

/** As many events as are shown. The command line lists all. */
const MOST = 500;

interface HistoryProps {
  /** Such as `trigger nightly-report`. */
  readonly of: string;
  readonly read: (waybill: Waybill) => AsyncIterable<EventView>;
}

const useHistory = ({ of, read }: HistoryProps) =>
  useLive(['history of', of], (waybill) => firstOf(read(waybill), MOST));

/** Who did what to something, when and why, as a part of its page. */
export function HistoryCard(props: HistoryProps) {
  const history = useHistory(props);
  return (
    <Card title="History" aside={history.data?.length === MOST ? `the first ${MOST}` : null} flush>
      <Shown of={history}>{(events) => <Events events={events} />}</Shown>
    </Card>
  );
}

/** The same for what has a row and no page. */
export function HistoryButton(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="bare" aria-label={`History of ${props.of}`} onClick={() => setOpen(true)}>
        History
      </Button>
      {isOpen ? (
        <Dialog title={`History of ${props.of}`} onClose={() => setOpen(false)}>
          <HistoryCard {...props} />
          <DialogFoot>
            <Button onClick={() => setOpen(false)}>Close</Button>
          </DialogFoot>
        </Dialog>
      ) : null}
    </>
  );
}
