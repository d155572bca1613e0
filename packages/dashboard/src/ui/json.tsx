import { JsonView } from 'react-json-view-lite';
import css from './json.module.css';

/** How deep a tree is open at first. */
const OPEN_LEVELS = 2;

/** A JSON value as a tree that folds. */
export function Json({ value }: { value: unknown }) {
  if (value === null || typeof value !== 'object') return <code>{JSON.stringify(value)}</code>;
  return (
    <JsonView
      data={value}
      shouldExpandNode={(level) => level < OPEN_LEVELS}
      clickToExpandNode
      style={{
        container: css.tree!,
        basicChildStyle: '',
        childFieldsContainer: '',
        label: css.label!,
        clickableLabel: css.label!,
        stringValue: css.string!,
        numberValue: css.number!,
        booleanValue: css.other!,
        nullValue: css.other!,
        undefinedValue: css.other!,
        otherValue: css.other!,
        punctuation: css.punctuation!,
        expandIcon: `${css.expander!} ${css.closed!}`,
        collapseIcon: `${css.expander!} ${css.open!}`,
        collapsedContent: css.more!,
        noQuotesForStringValues: false,
        quotesForFieldNames: false,
      }}
    />
  );
}
