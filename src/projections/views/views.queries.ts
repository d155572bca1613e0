import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { ViewDefinition } from '../../domain/view/view.events.js';

export interface SavedView extends ViewDefinition {
  readonly name: string;
  /** Who saved it last. */
  readonly savedBy: string;
  readonly savedAt: string;
  readonly revision: number;
  readonly position: string;
}

/** Every view that is saved for everybody, by name. There are at most `MOST_VIEWS`. */
export class ListViews extends Query<readonly SavedView[]> {}

type Row = Omit<SavedView, 'savedAt'> & { readonly savedAt: Date };

const ROWS = `
  select v.name, v.q, v.overdue, v.sort, v.saved_by as "savedBy", v.saved_at as "savedAt", v.revision, v.position
  from views v where v.state = 'saved' order by v.name`;

@QueryHandler(ListViews)
export class ListViewsHandler implements IQueryHandler<ListViews> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<readonly SavedView[]> {
    const rows = await this.db.query<Row[]>(ROWS);
    return rows.map(({ savedAt, ...view }) => ({ ...view, savedAt: savedAt.toISOString() }));
  }
}
