import type { FailureGroupView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../ui/card.js';
import { duration } from '../ui/times.js';
import css from './preceded.module.css';

interface Before {
  readonly at: string;
  readonly what: ReactNode;
}

/** What changed before it began, the nearest first: where to look for the cause. */
export function Preceded({ view }: { view: FailureGroupView }) {
  const changes = changesBefore(view);
  if (changes.length === 0 && !view.lastRepair) return null;
  return (
    <Card title="What changed before it began">
      <ul className={css.list}>
        {changes.map(({ at, what }) => (
          <li key={at}>
            <span className={css.before}>{duration(Date.parse(view.firstSeenAt) - Date.parse(at))} before</span>
            <span>{what}</span>
          </li>
        ))}
        {view.lastRepair ? <LastRepair repair={view.lastRepair} /> : null}
      </ul>
    </Card>
  );
}

/** The nearest first. */
export const changesBefore = (view: FailureGroupView): readonly Before[] =>
  knownBefore(view).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));

const knownBefore = ({ preceded: { build, policy, operation } }: FailureGroupView): Before[] => [
  ...(build ? [{ at: build.at, what: `Build ${build.build} began to work on ${build.queue}` }] : []),
  ...(policy
    ? [
        {
          at: policy.at,
          what: (
            <>
              Policy version {policy.version} of{' '}
              <Link to="/queues/$queue" params={{ queue: policy.queue }}>
                {policy.queue}
              </Link>{' '}
              by {policy.by}
            </>
          ),
        },
      ]
    : []),
  ...(operation ? [{ at: operation.at, what: `Operation ${operation.command} by ${operation.by}` }] : []),
];

const LastRepair = ({ repair: { by, reason, build } }: { repair: NonNullable<FailureGroupView['lastRepair']> }) => (
  <li>
    <span className={css.before}>repaired last time</span>
    <span>
      by {by}
      {build ? `, with build ${build}` : ''}
      {reason ? `: ${reason}` : ''}
    </span>
  </li>
);
