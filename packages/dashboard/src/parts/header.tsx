import { hashOf, type Route } from '../route.js';
import { actor, apiKey, canBeSent } from '../service.js';

const PLACES: readonly (readonly [title: string, route: Route, pages: readonly Route['page'][]])[] = [
  ['Queues', { page: 'queues' }, ['queues', 'queue']],
  ['Tasks', { page: 'tasks', filter: {} }, ['tasks', 'task', 'task-graph']],
  ['Batches', { page: 'batches' }, ['batches', 'batch', 'batch-graph']],
  ['Triggers', { page: 'triggers' }, ['triggers']],
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
      {apiKey.get() ? (
        <button type="button" onClick={forgetKey}>
          Remove the API key
        </button>
      ) : null}
      <button type="button" aria-pressed={!isLive} onClick={() => onLive(!isLive)}>
        Pause updates
      </button>
    </header>
  );
}

/** To enter another key, or to log out. */
function forgetKey(): void {
  apiKey.forget();
  location.reload();
}

function Who() {
  const keep = (field: HTMLInputElement): void => {
    const said = field.value.trim();
    field.setCustomValidity(canBeSent(said) ? '' : 'Use only Latin letters, digits and punctuation');
    if (!field.reportValidity()) return;
    actor.set(said);
    field.value = actor.get();
  };
  return (
    <label class="who">
      acting as{' '}
      <input defaultValue={actor.get()} size={12} maxLength={100} onChange={(event) => keep(event.currentTarget)} />
    </label>
  );
}
