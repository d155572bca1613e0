import type { LogView, SealView } from '@waybill/client';
import { Actions } from '../actions/actions.js';
import { Card } from '../ui/card.js';
import { Facts } from '../ui/facts.js';
import { plural } from '../ui/numbers.js';
import { Pill } from '../ui/pill.js';
import { Shown } from '../ui/shown.js';
import { Ago } from '../ui/time.js';
import { acceptLoss, newKey } from './seal-actions.js';
import { useSealedLog } from './system.queries.js';

/** How far nobody can change the log unnoticed, and why not further. */
export function SealedLog() {
  const log = useSealedLog();
  return (
    <Card title="Sealed log" aside={log.data ? <Pill {...PILLS[log.data.state]} /> : null}>
      <Shown of={log} lines={2}>
        {(view) => (
          <>
            {view.state === 'unsealed' ? <Unsealed /> : <Facts facts={factsOf(view)} />}
            <Actions subject="the sealed log" actions={actionsOn(view)} />
          </>
        )}
      </Shown>
    </Card>
  );
}

/** A log that does not go on has no key to retire. */
function actionsOn({ lost, name }: LogView) {
  if (lost) return [acceptLoss(lost)];
  return name === null ? [] : [newKey(name)];
}

const PILLS = {
  unsealed: { state: 'paused', label: 'not sealed' },
  sealing: { state: 'active', label: 'sealed' },
  stopped: { state: 'stopped', label: 'sealing stopped' },
} as const;

const Unsealed = () => (
  <p>Nobody seals the log. WAYBILL_NOTARY_DIR gives a process a folder for the key that seals it.</p>
);

const factsOf = ({ name, stopped, seal, audited, witnessRefusals, before }: LogView) =>
  [
    ['Nothing is sealed', stopped && stopped.reason],
    ['Since', stopped && <Ago at={stopped.since} />],
    ['Last seal', seal && <LastSeal seal={seal} />],
    ['Witnesses', seal && (seal.witnesses.join(', ') || 'not witnessed')],
    ['Refused by witnesses', witnessRefusals === 0 ? null : plural(witnessRefusals, 'time')],
    ['Read again', audited && `up to position ${audited.position}`],
    ['Name', name],
    ['Before it', before && <Before {...before} />],
  ] as const;

const LastSeal = ({ seal: { madeAt, position, size } }: { seal: SealView }) => (
  <>
    <Ago at={madeAt} />, up to position {position}, {plural(size, 'leaf', 'leaves')}
  </>
);

const SAID = { loss: 'accepted its loss', newKey: 'retired its key' } as const;

const Before = ({ name, size, why, at, by, reason }: NonNullable<LogView['before']>) => (
  <>
    {name}, {plural(size, 'leaf', 'leaves')}: {by} {SAID[why]} <Ago at={at} />
    {reason === null ? '' : `: ${reason}`}
  </>
);
