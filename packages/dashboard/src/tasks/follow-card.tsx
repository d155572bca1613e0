import type { FollowToken, TaskDetails, Waybill } from '@waybill/client';
import { useState } from 'react';
import { CommandForms } from '../actions/command-forms.js';
import { useOffer } from '../actions/offer.js';
import { service, serviceUrl } from '../app/service.js';
import { Button } from '../ui/button.js';
import { Card } from '../ui/card.js';
import { CodeBlock } from '../ui/code-block.js';
import { Choice } from '../ui/field.js';
import { Fold } from '../ui/fold.js';
import { ErrorNotice } from '../ui/notice.js';
import { Stack } from '../ui/stack.js';
import { At } from '../ui/time.js';

/** How long a token may be valid, in seconds. */
const LIVES = { '10 min': 600, '1 h': 3_600, '1 day': 86_400 } as const;

type Life = keyof typeof LIVES;

/** A token with which the page of somebody without a key follows the task. Nothing of it is stored, so only who makes it sees it. */
export function FollowCard({ task: { id, queue } }: { task: Pick<TaskDetails, 'id' | 'queue'> }) {
  const [life, setLife] = useState<Life>('1 h');
  const [made, setMade] = useState<FollowToken | null>(null);
  const [error, setError] = useState<unknown>(null);
  const offers = useOffer();
  if (!offers({ permission: 'read', queue })) return null;
  const give = (waybill: Waybill): Promise<FollowToken> =>
    waybill.task(id).followToken({ expiresInMs: LIVES[life] * 1_000 });
  const make = (): void => {
    setError(null);
    give(service(undefined)).then(setMade, setError);
  };
  return (
    <Card title="Follow it from a browser">
      <Stack>
        <p>A token with which a page of yours follows this task up to its result, and reaches nothing else.</p>
        <Choice
          label="Valid for"
          choices={Object.keys(LIVES)}
          value={life}
          onChange={({ target }) => setLife(target.value as Life)}
        />
        <div>
          <Button onClick={make}>Make a token</Button>
        </div>
        {made ? <Made token={made} /> : null}
        {error === null ? null : <ErrorNotice error={error} />}
        <Fold title="The same elsewhere">
          <CommandForms cli={`waybill task follow-token --expires-in ${LIVES[life]} ${id}`} give={give} />
        </Fold>
      </Stack>
    </Card>
  );
}

const Made = ({ token: { token, task, expiresAt } }: { token: FollowToken }) => (
  <div role="status">
    <CodeBlock text={token} about="The token" />
    <p>
      Valid until <At at={expiresAt} />. Nobody can take it back, and this page does not show it again. To try it:
    </p>
    <CodeBlock
      text={`curl -N -H 'Authorization: Bearer ${token}' ${serviceUrl}/v1/tasks/${task}/follow`}
      about="A terminal that follows the task"
    />
  </div>
);
