import type { KeptLogLine, TaskDetails } from '@waybill/client';
import { useEffect, useState } from 'react';
import { service } from '../app/service.js';
import { useMoment } from '../time/moment.js';
import { Card } from '../ui/card.js';
import { classes } from '../ui/classes.js';
import { ErrorNotice } from '../ui/notice.js';
import { clockTime, exactTime } from '../ui/times.js';
import css from './task-log.module.css';

/** Lines that come together are drawn together. */
const TOGETHER_MS = 50;

/** What the handlers of a task said, and say while it runs. The service has the lines of now only. */
export function TaskLog({ task }: { task: TaskDetails }) {
  const isPast = useMoment() !== undefined;
  const { lines, error } = useLines(task, isPast);
  if (isPast || (lines.length === 0 && error === null)) return null;
  return (
    <Card title="Log" aside={lines.length === 1 ? '1 line' : `${lines.length} lines`}>
      {error === null ? null : <ErrorNotice error={error} />}
      <ol className={css.lines} tabIndex={0} aria-label="What its handlers said">
        {lines.map((line) => (
          <Line key={`${line.attempt}.${line.number}`} line={line} />
        ))}
      </ol>
    </Card>
  );
}

const Line = ({ line: { at, attempt, level, text, fields } }: { line: KeptLogLine }) => (
  <li>
    <time dateTime={at} title={`${exactTime(at)}, attempt ${attempt}`}>
      {clockTime(at)}
    </time>
    <span className={classes(css.level, level === 'error' && css.error)}>{level}</span>
    <span className={css.text}>
      {text}
      {Object.keys(fields).length === 0 ? null : <code> {JSON.stringify(fields)}</code>}
    </span>
  </li>
);

interface Lines {
  readonly lines: readonly KeptLogLine[];
  readonly error: unknown;
}

/** Reads the lines anew when an attempt begins or ends, and follows them in between. */
function useLines({ id, state, attempt }: TaskDetails, isPast: boolean): Lines {
  const [shown, show] = useState<Lines>({ lines: [], error: null });
  useEffect(() => {
    if (isPast) return;
    const over = new AbortController();
    void readLines({ id, follow: state === 'running', signal: over.signal }, show);
    return () => over.abort();
  }, [id, state, attempt, isPast]);
  return shown;
}

interface Read {
  readonly id: string;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

async function readLines({ id, ...options }: Read, show: (lines: Lines) => void): Promise<void> {
  const lines: KeptLogLine[] = [];
  let timer: number | undefined;
  const draw = (error: unknown = null): void => {
    window.clearTimeout(timer);
    timer = undefined;
    if (!options.signal.aborted) show({ lines: [...lines], error });
  };
  try {
    for await (const line of service(undefined).task(id).log(options)) {
      lines.push(line);
      timer ??= window.setTimeout(draw, TOGETHER_MS);
    }
    draw();
  } catch (error) {
    draw(error);
  }
}
