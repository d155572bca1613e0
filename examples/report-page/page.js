import { useTask } from '@waybill/client/react';
import { createElement as element, useState } from 'react';
import { createRoot } from 'react-dom/client';

/** What a visitor reads while the report is made. */
const SAID = {
  pending: 'Your report waits for its turn.',
  running: 'Your report is being made.',
  succeeded: 'Your report is ready.',
};

function Report({ url, token }) {
  const { task, events, error } = useTask(url, token);
  if (error !== null) return element('p', { role: 'alert' }, `Load the page again: ${error.message}`);
  if (task === null) return element('p', null, 'One moment.');
  return element(
    'section',
    null,
    element('p', { role: 'status' }, SAID[task.state] ?? 'Your report could not be made.'),
    task.result && element('p', null, `It has ${task.result.pages} pages.`),
    element('ol', null, ...events.map(({ position, type }) => element('li', { key: position }, type))),
  );
}

function Page() {
  const [followed, setFollowed] = useState(null);
  const order = async () => setFollowed(await (await fetch('/reports', { method: 'POST' })).json());
  return element(
    'main',
    null,
    element('h1', null, 'Reports'),
    element('button', { onClick: order }, 'Order a report'),
    followed && element(Report, followed),
  );
}

createRoot(document.querySelector('#page')).render(element(Page));
