import { useNavigate } from '@tanstack/react-router';
import { History, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { exactTime } from '../ui/times.js';
import { useMoment } from './moment.js';
import css from './time-bar.module.css';
import { typedMoment } from './typed-moment.js';

/** Says whether the page shows now or a moment, and goes to either. */
export function TimeBar() {
  const moment = useMoment();
  const [isAsking, setAsking] = useState(false);
  const go = useGo();
  return (
    <div className={css.bar} role="group" aria-label="The moment that the page shows">
      {moment === undefined ? (
        <Button kind="bare" className={css.live} onClick={() => setAsking(true)}>
          <span className={css.dot} aria-hidden="true" /> Live <History aria-hidden="true" />
        </Button>
      ) : (
        <>
          <Button kind="bare" className={css.then} onClick={() => setAsking(true)}>
            <History aria-hidden="true" /> as of {momentText(moment)}
          </Button>
          <IconButton label="Back to now" onClick={() => go(undefined)}>
            <X aria-hidden="true" />
          </IconButton>
        </>
      )}
      {isAsking ? <MomentDialog onClose={() => setAsking(false)} onGo={go} /> : null}
    </div>
  );
}

function useGo(): (moment: string | undefined) => void {
  const navigate = useNavigate();
  return (at) => void navigate({ to: '.', search: (search: object) => ({ ...search, at }) });
}

/** A position is a number. */
const momentText = (moment: string): string => (/^\d+$/.test(moment) ? `position ${moment}` : exactTime(moment));

const AGES = ['5 min', '1 h', '8 h', '24 h'] as const;
const MS = { '5 min': 300_000, '1 h': 3_600_000, '8 h': 28_800_000, '24 h': 86_400_000 };

interface MomentDialogProps {
  readonly onClose: () => void;
  readonly onGo: (moment: string | undefined) => void;
}

function MomentDialog({ onClose, onGo }: MomentDialogProps) {
  const goTo = (moment: string): void => {
    onGo(moment);
    onClose();
  };
  const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
  return (
    <Dialog title="Show a past moment" onClose={onClose}>
      <DialogForm onSubmit={(typed) => goTo(typedMoment(String(typed.get('moment'))))}>
        <h2>Show a past moment</h2>
        <p>Every page shows what it showed then. Nothing can be changed while you look at the past.</p>
        <div className={css.form}>
          {AGES.map((age) => (
            <Button key={age} onClick={() => goTo(ago(MS[age]))}>
              {age} ago
            </Button>
          ))}
        </div>
        <Field
          label="A time, or a position of the log"
          name="moment"
          placeholder="03:12, 2026-11-23 03:12:05 or 93845"
          required
          autoComplete="off"
        />
        <DialogFoot>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" kind="primary">
            Show it
          </Button>
        </DialogFoot>
      </DialogForm>
    </Dialog>
  );
}
