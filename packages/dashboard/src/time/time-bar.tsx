import { History, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { part } from '../app/part.js';
import { useReach } from '../app/reach.js';
import { Button, IconButton } from '../ui/button.js';
import { classes } from '../ui/classes.js';
import { exactTime } from '../ui/times.js';
import { useGo, useMoment } from './moment.js';
import { isPosition } from './stops.js';
import css from './time-bar.module.css';
import { useMomentMs } from './time.queries.js';

const MomentDialog = part(async () => (await import('./moment-dialog.js')).MomentDialog);

/** Says whether the page shows now or a moment, and goes to either. */
export function TimeBar() {
  const moment = useMoment();
  const atMs = useMomentMs();
  const [isAsking, setAsking] = useState(false);
  const go = useGo();
  const isSilent = useReach().kind === 'silent';
  return (
    <div className={css.bar} role="group" aria-label="The moment that the page shows">
      {moment === undefined ? (
        <Button kind="bare" className={css.live} onClick={() => setAsking(true)}>
          <span className={classes(css.dot, isSilent && css.silent)} aria-hidden="true" />{' '}
          {isSilent ? 'Not live' : 'Live'} <History aria-hidden="true" />
        </Button>
      ) : (
        <>
          <Button kind="bare" className={css.then} onClick={() => setAsking(true)}>
            <History aria-hidden="true" /> <span>as of {momentText(moment, atMs)}</span>
          </Button>
          <IconButton label="Back to now" onClick={() => go(undefined)}>
            <X aria-hidden="true" />
          </IconButton>
        </>
      )}
      <Suspense>{isAsking ? <MomentDialog onClose={() => setAsking(false)} onGo={go} /> : null}</Suspense>
    </div>
  );
}

/** A position is told with its time, once that is known. */
function momentText(moment: string, atMs: number | null): string {
  if (isPosition(moment)) return `position ${moment}${atMs === null ? '' : `, ${exactTime(atMs)}`}`;
  return atMs === null ? moment : exactTime(atMs);
}
