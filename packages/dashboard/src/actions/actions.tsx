import { Suspense, useState } from 'react';
import { part } from '../app/part.js';
import { Button, Buttons } from '../ui/button.js';
import { Menu } from '../ui/menu.js';
import type { Action } from './action.js';
import { type Doable, useSaidOfPage } from './of-page.js';
import { useOffer } from './offer.js';

const ActionDialog = part(async () => (await import('./action-dialog.js')).ActionDialog);

/**
 * Buttons, a menu of what is seldom done, and a dialog that explains a command before it is given; none that the person may not
 * give, and none in the past. A chosen command stays in the dialog even if the service no longer offers it: a button must not
 * change under the pointer.
 */
export function Actions({ subject, queue, actions }: Doable) {
  const [chosen, choose] = useState<Action | null>(null);
  const offers = useOffer();
  const offered = actions.filter(({ permission = 'operate' }) => offers({ permission, queue }));
  useSaidOfPage({ subject, queue, actions: offered });
  const rare = offered.filter(({ isRare }) => isRare);
  if (offered.length === 0 && !chosen) return null;
  return (
    <>
      <Buttons>
        {offered
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
      <Suspense>
        {chosen ? <ActionDialog subject={subject} action={chosen} onClose={() => choose(null)} /> : null}
      </Suspense>
    </>
  );
}

const ActionButton = ({ action, onChoose }: { action: Action; onChoose: (action: Action) => void }) => (
  <Button kind={action.kind} onClick={() => onChoose(action)}>
    {action.label ?? action.name}
  </Button>
);
