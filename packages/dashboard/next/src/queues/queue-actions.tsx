import type { QueueView } from '@waybill/client';
import { type Action, Actions } from '../app/action.js';

/** What can be done to the queue now: the likely first. */
export const QueueActions = ({ view }: { view: QueueView }) => (
  <Actions subject={`queue ${view.name}`} actions={[pauseOrResume(view), intake(view)]} />
);

const pauseOrResume = ({ name, state }: QueueView): Action =>
  state === 'paused'
    ? {
        name: 'Resume',
        kind: 'primary',
        about: 'Workers can claim its tasks again.',
        cli: `waybill queue resume ${name}`,
        run: (waybill, reason) => waybill.queue(name).resume({ reason }),
      }
    : {
        name: 'Pause',
        about:
          'Workers can claim no tasks until somebody resumes the queue. Running tasks continue, and the queue still accepts tasks.',
        cli: `waybill queue pause ${name}`,
        run: (waybill, reason) => waybill.queue(name).pause({ reason }),
      };

const intake = ({ name, intake: { open } }: QueueView): Action =>
  open
    ? {
        name: 'Close intake',
        about: 'The queue accepts no more tasks. Workers continue with the existing ones.',
        cli: `waybill queue close-intake ${name}`,
        run: (waybill, reason) => waybill.queue(name).closeIntake({ reason }),
      }
    : {
        name: 'Open intake',
        about: 'The queue accepts tasks again.',
        cli: `waybill queue open-intake ${name}`,
        run: (waybill, reason) => waybill.queue(name).openIntake({ reason }),
      };
