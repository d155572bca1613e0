import { useLocation } from '@tanstack/react-router';
import { Empty } from '../ui/notice.js';
import { useOpenPages, useReadable } from './me.js';
import { PAGES } from './pages.js';

/** Whether the page is about all queues, and the person may read only some. */
export function useIsClosed(): boolean {
  const { pathname } = useLocation();
  const open = useOpenPages();
  const page = PAGES.find(({ to }) => to !== '/' && (pathname === to || pathname.startsWith(`${to}/`)));
  return page !== undefined && !open.some(({ to }) => to === page.to);
}

/** What such a page says instead. */
export const OfAllQueues = () => (
  <Empty title="This page is about all queues">
    <p>Your API key may read these: {useReadable()?.join(', ') || 'none'}.</p>
  </Empty>
);
