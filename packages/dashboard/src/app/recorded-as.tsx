import { useMe } from './me.js';

/** Under which name a command goes into the history. */
export function RecordedAs() {
  const me = useMe();
  return me ? (
    <p>
      Recorded as <b>{me.actor}</b>.
    </p>
  ) : null;
}
