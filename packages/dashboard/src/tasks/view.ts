/** A list of tasks under a name that somebody gave it. */
export interface View {
  readonly name: string;
  readonly q?: string;
  readonly overdue?: string;
  readonly sort?: string;
}

/** The address of the view, which has its name and all that it says. */
export const searchOf = ({ name, q, overdue, sort }: View) => ({ view: name, q, overdue, sort });
