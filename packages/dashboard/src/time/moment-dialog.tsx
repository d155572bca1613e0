import { serviceNow } from '../app/clock.js';
import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import css from './moment-dialog.module.css';
import { typedMoment } from './typed-moment.js';

const AGES = ['5 min', '1 h', '8 h', '24 h'] as const;
const MS = { '5 min': 300_000, '1 h': 3_600_000, '8 h': 28_800_000, '24 h': 86_400_000 };

interface MomentDialogProps {
  readonly onClose: () => void;
  readonly onGo: (moment: string | undefined) => void;
}

/** Asks for a moment: a while ago, a time, or a position. */
export function MomentDialog({ onClose, onGo }: MomentDialogProps) {
  const goTo = (moment: string): void => {
    onGo(moment);
    onClose();
  };
  const ago = (ms: number): string => new Date(serviceNow() - ms).toISOString();
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
