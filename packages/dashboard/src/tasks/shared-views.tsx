import type { SavedView } from '@waybill/client';
import { Link } from '@tanstack/react-router';
import { Actions } from '../actions/actions.js';
import { useLive } from '../app/live.js';
import { useMay } from '../app/me.js';
import { Ago } from '../ui/time.js';
import css from './tasks-page.module.css';
import { searchOf, type View } from './view.js';
import { deleteView, saveView } from './view-actions.js';

interface SharedViewsProps {
  /** What the page shows. */
  readonly shown: Omit<View, 'name'>;
  /** The name of it, if its address has one. */
  readonly name: string | undefined;
}

/** Links to the views that are saved for everybody, who saved the one that is shown, and what saves and deletes them. */
export function SharedViews({ shown, name }: SharedViewsProps) {
  const mayRead = useMay()({ permission: 'read' });
  const { data = [] } = useLive(['views'], (waybill) => waybill.views.list(), { onlyPresent: true, isAsked: mayRead });
  const views = data.map((saved) => ({ saved, view: viewOf(saved) }));
  const current = views.find(({ view }) => isSame(view, shown))?.saved;
  return (
    <div className={css.quick}>
      {views.length > 0 ? <span>For everybody</span> : null}
      {views.map(({ saved, view }) => (
        <Link
          key={saved.name}
          to="/tasks"
          search={searchOf(view)}
          title={`saved for everybody by ${saved.savedBy}`}
          aria-current={saved === current ? 'true' : undefined}
        >
          {saved.name}
        </Link>
      ))}
      {current ? (
        <>
          <span>
            saved by {current.savedBy} <Ago at={current.savedAt} />
          </span>
          <Actions key={current.name} subject={`view ${current.name}`} actions={[deleteView(current)]} />
        </>
      ) : (
        <Actions subject="this view" actions={[saveView(shown, name)]} />
      )}
    </div>
  );
}

/** As the address of the page has it, whose lists begin with the newest anyway. */
const viewOf = ({ name, q, overdue, sort }: SavedView): View => ({
  name,
  q: q || undefined,
  overdue: overdue ? 'true' : undefined,
  sort: sort === 'deadline' ? sort : undefined,
});

const isSame = (one: Omit<View, 'name'>, other: Omit<View, 'name'>): boolean =>
  one.q === other.q && one.overdue === other.overdue && one.sort === other.sort;
