import type { ResourceView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { whole } from '../ui/numbers.js';

type Need = ResourceView['needs'][number];

/** The steps that need a resource, each a door to the tasks that wait there. */
export const Needs = ({ needs }: { needs: readonly Need[] }) =>
  needs.length === 0 ? (
    <>no step</>
  ) : (
    needs.map((need) => <NeedLine key={`${need.queue} ${need.step} ${need.below}`} need={need} />)
  );

/** Beyond this number, the service counts no further. */
const MOST_COUNTED = 10_000;

const NeedLine = ({ need: { queue, step, below, met, waiting } }: { need: Need }) => (
  <div>
    <Link to="/tasks" search={{ q: `queue:${queue} state:pending` }}>
      {step} of {queue}
    </Link>{' '}
    below {below}: {met ? 'met' : `not met, ${whole(waiting)}${waiting >= MOST_COUNTED ? ' or more' : ''} waiting`}
  </div>
);
