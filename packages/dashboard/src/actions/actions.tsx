import { useState } from 'react';
import { useMoment } from '../time/moment.js';
import { Button, Buttons } from '../ui/button.js';
import { Menu } from '../ui/menu.js';
import type { Action } from './action.js';
import { ActionDialog } from './action-dialog.js';

interface ActionsProps {
  /** What they are done to, such as `queue mail`. */
  readonly subject: string;
  readonly actions: readonly Action[];
}

/**
 * Buttons, a menu of what is seldom done, and a dialog that explains a command before it is given; none in the past, which
 * nobody changes. A chosen command stays in the dialog even if the service no longer offers it: a button must not change under
 * the pointer.
 */
export function Actions({ subject, actions }: ActionsProps) {
  const [chosen, choose] = useState<Action | null>(null);
  if (useMoment() !== undefined) return null;
  const rare = actions.filter(({ isRare }) => isRare);
  return (
    <>
      <Buttons>
        {actions
          .filter(({ isRare }) => !isRare)
          .map((action) => (
            <ActionButton key={action.name} action={action} onChoose={choose} />
          ))}
        {rare.length > 0 ? (
          <Menu label="More">
            {rare.map((action) => (
              <ActionButton key={action.name} action={action} onChoose={choose} />
            ))}
          </Menu>
        ) : null}
      </Buttons>
      {chosen ? <ActionDialog subject={subject} action={chosen} onClose={() => choose(null)} /> : null}
    </>
  );
}

const ActionButton = ({ action, onChoose }: { action: Action; onChoose: (action: Action) => void }) => (
  <Button kind={action.kind} onClick={() => onChoose(action)}>
    {action.name}
  </Button>
);
