/** Why a command on a shared view is refused. */
export type ViewRejection =
  | { readonly code: 'VIEW_NOT_FOUND'; readonly view: string }
  /** There are as many as everybody's list has room for. */
  | { readonly code: 'TOO_MANY_VIEWS'; readonly most: number };
