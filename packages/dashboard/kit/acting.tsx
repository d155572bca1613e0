import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, Buttons, IconButton } from '../src/ui/button.js';
import { Dialog, DialogFoot, DialogForm } from '../src/ui/dialog.js';
import { Check, Choice, Field, TextField } from '../src/ui/field.js';
import { Menu } from '../src/ui/menu.js';
import { Tabs } from '../src/ui/tabs.js';
import { type Story } from './story.js';

/** What is pressed and typed. */
export const ACTING: readonly Story[] = [
  {
    title: 'Buttons and a menu of what is seldom done',
    of: ['button', 'menu'],
    shows: () => (
      <Buttons>
        <Button kind="primary">Retry</Button>
        <Button>Pause</Button>
        <Button kind="danger">Delete</Button>
        <Button kind="bare">Clear</Button>
        <Button disabled>Pause</Button>
        <Button kind="primary" disabled>
          Retry
        </Button>
        <IconButton label="Delete the view">
          <Trash2 aria-hidden="true" />
        </IconButton>
        <Menu label="More">
          <Button>Abort</Button>
          <Button kind="danger">Delete</Button>
        </Menu>
      </Buttons>
    ),
  },
  {
    title: 'Fields',
    of: ['field'],
    shows: () => (
      <>
        <Field label="Reason, for the history" name="reason" placeholder="the disk is empty again" />
        <Check label="Also what it was about: payload, labels, results and texts of errors, of which some are private" />
        <TextField label="Policy" name="policy" defaultValue={'{\n  "leaseMs": 60000\n}'} />
        <Choice label="Running tasks" name="running" choices={['finish', 'cancel']} />
      </>
    ),
  },
  {
    title: 'Tabs: views with addresses',
    of: ['tabs'],
    shows: () => (
      <Tabs about="Views of the queue">
        <a href="#overview" aria-current="page">
          Overview
        </a>
        <a href="#policy">Policy</a>
        <a href="#history">History</a>
      </Tabs>
    ),
  },
  { title: 'A dialog that asks before a command', of: ['dialog'], shows: () => <Asks /> },
];

function Asks() {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Buttons>
        <Button onClick={() => setOpen(true)}>Open the dialog</Button>
      </Buttons>
      {isOpen ? (
        <Dialog title="Pause queue payments" onClose={close}>
          <DialogForm onSubmit={close}>
            <h2>Pause queue payments</h2>
            <p>Workers can claim no tasks until somebody resumes the queue.</p>
            <Field label="Reason, for the history" name="why" autoFocus />
            <DialogFoot>
              <Button onClick={close}>Back</Button>
              <Button type="submit" kind="primary">
                Pause
              </Button>
            </DialogFoot>
          </DialogForm>
        </Dialog>
      ) : null}
    </>
  );
}
