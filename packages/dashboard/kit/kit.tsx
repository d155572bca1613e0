import { createRoot } from 'react-dom/client';
import { PageHead } from '../src/ui/page-head.js';
import css from './kit.module.css';
import { ACTING } from './acting.js';
import { LANGUAGE } from './language.js';
import { SHOWING } from './showing.js';
import { StoryView } from './story.js';

const STORIES = [...LANGUAGE, ...SHOWING, ...ACTING];

createRoot(document.getElementById('app')!).render(
  <main className={css.kit}>
    <PageHead title="The kit" under="Every component of the dashboard in each of its states, without a service." />
    {STORIES.map((story) => (
      <StoryView key={story.title} story={story} />
    ))}
  </main>,
);
