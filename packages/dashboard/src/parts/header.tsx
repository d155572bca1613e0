import { useState } from 'preact/hooks';
import { hashOf, type Route } from '../route.js';
import { actor } from '../service.js';

const PLACES: readonly (readonly [title: string, route: Route, pages: readonly Route['page'][]])[] = [
  ['Queues', { page: 'queues' }, ['queues', 'queue']],
  ['Tasks', { page: 'tasks', filter: {} }, ['tasks', 'task']],
  ['Workers and read models', { page: 'system' }, ['system']],
];

interface HeaderProps {
  readonly route: Route;
  readonly isLive: boolean;
  readonly onLive: (isLive: boolean) => void;
}

export function Header({ route, isLive, onLive }: HeaderProps) {
  return (
    <header>
      <a class="name" href="#/queues">
        Waybill
      </a>
      <nav aria-label="Pages">
        {PLACES.map(([title, to, pages]) => (
          <a key={title} href={hashOf(to)} aria-current={pages.includes(route.page) ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <Who />
      <button type="button" aria-pressed={!isLive} onClick={() => onLive(!isLive)}>
        {isLive ? 'Live' : 'Standing still'}
      </button>
    </header>
  );
}

function Who() {
  const [name, setName] = useState(actor.get());
  const keep = (said: string): void => {
    actor.set(said.trim());
    setName(actor.get());
  };
  return (
    <label class="who">
      acting as <input value={name} size={12} maxLength={100} onChange={(event) => keep(event.currentTarget.value)} />
    </label>
  );
}
