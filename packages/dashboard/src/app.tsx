import { useEffect, useRef, useState } from 'preact/hooks';
import { DrainBanner } from './parts/drain-banner.js';
import { Header } from './parts/header.js';
import { BatchPage } from './pages/batch.js';
import { BatchesPage } from './pages/batches.js';
import { GraphPage } from './pages/graph.js';
import { QueuePage } from './pages/queue.js';
import { QueuesPage } from './pages/queues.js';
import { SystemPage } from './pages/system.js';
import { TaskPage } from './pages/task.js';
import { TriggersPage } from './pages/triggers.js';
import { TasksPage } from './pages/tasks.js';
import { type Route, routeOf, titleOf } from './route.js';

export function App() {
  const [route, setRoute] = useState<Route>(() => routeOf(location.hash));
  const [isLive, setLive] = useState(true);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    // The followed link is gone with its page: the keyboard continues at the new page, and screen readers announce it.
    const follow = (): void => {
      setRoute(routeOf(location.hash));
      main.current?.focus();
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    document.title = titleOf(route);
  }, [route]);
  return (
    <>
      <Header route={route} isLive={isLive} onLive={setLive} />
      <DrainBanner isLive={isLive} />
      <main ref={main} tabIndex={-1}>
        <Page route={route} isLive={isLive} />
      </main>
    </>
  );
}

function Page({ route, isLive }: { route: Route; isLive: boolean }) {
  switch (route.page) {
    case 'queues':
      return <QueuesPage isLive={isLive} />;
    case 'queue':
      return <QueuePage key={route.queue} name={route.queue} range={route.range} isLive={isLive} />;
    case 'tasks':
      return <TasksPage key={location.hash} filter={route.filter} isLive={isLive} />;
    case 'task':
      return <TaskPage key={route.id} id={route.id} isLive={isLive} />;
    case 'task-graph':
    case 'batch-graph':
      return <GraphPage key={route.id} subject={route} isLive={isLive} />;
    case 'batches':
      return <BatchesPage isLive={isLive} />;
    case 'batch':
      return <BatchPage key={route.id} id={route.id} isLive={isLive} />;
    case 'triggers':
      return <TriggersPage isLive={isLive} />;
    case 'system':
      return <SystemPage isLive={isLive} />;
  }
}
