import { useEffect, useState } from 'react';
import { type FollowedEvent, type FollowedTask, followTask } from './follow.js';

/** What a component knows of the task. */
export interface TaskSeen {
  /** As it is now; null until the first answer. */
  readonly task: FollowedTask | null;
  /** All that has happened to it, the oldest first. */
  readonly events: readonly FollowedEvent[];
  /** Why nothing more will come: `FollowRefused` once the token has expired, above all. */
  readonly error: Error | null;
}

const NOTHING: TaskSeen = { task: null, events: [], error: null };

/**
 * Follows the task of a token, and renders again whenever something happens to it. Connects again by itself, and ends with the task, with
 * the component and with another token. Without a token (null), it waits for one.
 */
export function useTask(url: string, token: string | null): TaskSeen {
  const [seen, setSeen] = useState({ token, what: NOTHING });
  useEffect(() => {
    if (token === null) return undefined;
    const left = new AbortController();
    void follow(url, token, left.signal, (what) => setSeen({ token, what }));
    return () => left.abort();
  }, [url, token]);
  return seen.token === token ? seen.what : NOTHING;
}

async function follow(url: string, token: string, signal: AbortSignal, tell: (seen: TaskSeen) => void): Promise<void> {
  let seen = NOTHING;
  try {
    for await (const task of followTask(url, token, { signal })) {
      seen = { ...seen, task, events: [...seen.events, ...task.events] };
      if (!signal.aborted) tell(seen);
    }
  } catch (error) {
    if (!signal.aborted) tell({ ...seen, error: error as Error });
  }
}
