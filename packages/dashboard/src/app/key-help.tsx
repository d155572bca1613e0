import { Button } from '../ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../ui/dialog.js';
import css from './key-help.module.css';
import { KEYS } from './keys.js';

export const KeyHelp = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <DialogForm onSubmit={onClose}>
      <h2>Keys</h2>
      <dl className={css.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={keys} className={css.pair}>
            <dt>{keys}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <DialogFoot>
        <Button type="submit">Close</Button>
      </DialogFoot>
    </DialogForm>
  </Dialog>
);
