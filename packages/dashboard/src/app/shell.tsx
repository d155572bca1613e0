import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Ellipsis, Search as SearchIcon, Waypoints } from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useOpenGroups } from '../failures/failures.queries.js';
import { DrainBanner } from '../system/drain-banner.js';
import { SinceTheLog } from '../time/since-the-log.js';
import { useMoment } from '../time/moment.js';
import { useMomentMs } from '../time/time.queries.js';
import { TimeBar } from '../time/time-bar.js';
import { TimeStrip } from '../time/time-strip.js';
import { classes } from '../ui/classes.js';
import { IsSilent, Loading } from '../ui/notice.js';
import { whole } from '../ui/numbers.js';
import { StandsAt } from '../ui/time.js';
import { KeyForm } from './key-form.js';
import { useIsKnown, useOpenPages } from './me.js';
import { OfAllQueues, useIsClosed } from './of-all-queues.js';
import type { PageLink } from './pages.js';
import { part } from './part.js';
import { Person } from './person.js';
import { useReach } from './reach.js';
import { goToRow } from './row-keys.js';
import { Search } from './search.js';
import css from './shell.module.css';
import { Silence } from './silence.js';
import { ThemeSwitch } from './theme-switch.js';
import { useKeys } from './keys.js';

const KeyHelp = part(async () => (await import('./key-help.js')).KeyHelp);

/** What is around every page: the navigation, the search, and the moment. */
export function Shell() {
  const [over, setOver] = useState<'search' | 'keys' | null>(null);
  useKeys({ onSearch: () => setOver('search'), onHelp: () => setOver('keys') });
  const close = (): void => setOver(null);
  return (
    <>
      <div className={css.shell}>
        <a className={css.skip} href="#main" onClick={skip}>
          Skip to the content
        </a>
        <a className={css.skip} href="#main" onClick={skipToRow}>
          Skip to the first row
        </a>
        <Side />
        <div>
          <header className={css.top}>
            <Head onSearch={() => setOver('search')} />
            <TimeStrip />
          </header>
          <Silence />
          <Content />
        </div>
      </div>
      {over === 'search' ? <Search onClose={close} /> : null}
      <Suspense>{over === 'keys' ? <KeyHelp onClose={close} /> : null}</Suspense>
    </>
  );
}

/** The address belongs to the router: only the focus moves. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** As `j` does; to the content of a page without rows. */
function skipToRow(event: { preventDefault(): void }): void {
  skip(event);
  goToRow(1);
}

/** The page, for those who may read it, at its moment. */
function Content() {
  const { kind } = useReach();
  const needsKey = kind === 'needs-key';
  const isKnown = useIsKnown();
  const isClosed = useIsClosed();
  const mayRead = isKnown && !needsKey;
  return (
    <StandsAt value={useMomentMs()}>
      <IsSilent value={kind === 'silent'}>
        {mayRead ? <DrainBanner /> : null}
        <Main>
          {needsKey ? (
            <KeyForm />
          ) : !isKnown ? (
            <Loading />
          ) : isClosed ? (
            <OfAllQueues />
          ) : (
            <SinceTheLog>
              <Outlet />
            </SinceTheLog>
          )}
        </Main>
      </IsSilent>
    </StandsAt>
  );
}

function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const isFirst = useRef(true);
  useEffect(() => {
    // The link that was followed is gone with its page: the keyboard goes on at the new one, and readers of screens hear it.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [pathname]);
  return (
    <main id="main" ref={main} tabIndex={-1} className={css.main}>
      <Suspense fallback={<Loading />}>{children}</Suspense>
    </main>
  );
}

function Side() {
  const pages = useOpenPages();
  return (
    <nav className={css.side} aria-label="Pages">
      <Link to="/" className={css.brand} aria-label="Waybill, home">
        <Waypoints aria-hidden="true" /> Waybill
      </Link>
      <div className={css.nav}>
        <ul>
          {pages.map((page) => (
            <li key={page.to}>
              <PageEntry page={page} />
            </li>
          ))}
        </ul>
        <MorePages pages={pages.slice(ON_PHONE)} />
      </div>
      <div className={css.foot}>
        <ThemeSwitch />
      </div>
    </nav>
  );
}

/** As many pages as a phone has room for; the styles show no others there. */
const ON_PHONE = 4;

/** On a phone, what is behind one button: the pages that find no room. */
function MorePages({ pages }: { pages: readonly PageLink[] }) {
  const { pathname } = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const isHere = pages.some(({ to }) => pathname.startsWith(to));
  if (pages.length === 0) return null;
  return (
    <>
      <button type="button" className={css.more} popoverTarget="more-pages" data-here={isHere}>
        <Ellipsis aria-hidden="true" /> More
      </button>
      <div ref={list} id="more-pages" popover="auto" className={css.rest} onClick={() => list.current?.hidePopover()}>
        {pages.map((page) => (
          <PageEntry key={page.to} page={page} />
        ))}
      </div>
    </>
  );
}

function PageEntry({ page: { to, name, icon: Icon } }: { page: PageLink }) {
  return (
    <Link to={to} activeOptions={{ exact: to === '/' }}>
      <Icon aria-hidden="true" /> {name}
      {to === '/failures' ? <OpenFailures /> : null}
    </Link>
  );
}

/** How many groups of failures nobody has dealt with, without those whose tasks were all tried again. */
function OpenFailures() {
  const { data: groups = [] } = useOpenGroups();
  const failing = groups.filter(({ failedNow }) => failedNow !== 0).length;
  return failing > 0 ? (
    <span className={css.badge} role="img" aria-label={`${failing} open`}>
      {whole(failing)}
    </span>
  ) : null;
}

/** As the keyboard of this machine has it. */
const SEARCH_KEY = /Mac|iP/.test(navigator.platform) ? '⌘K' : 'Ctrl K';

function Head({ onSearch }: { onSearch: () => void }) {
  const isPast = useMoment() !== undefined;
  return (
    <div className={classes(css.head, isPast && css.past)}>
      <button type="button" className={css.find} onClick={onSearch}>
        <SearchIcon aria-hidden="true" /> Search or go to … <kbd>{SEARCH_KEY}</kbd>
      </button>
      <div className={css.headEnd}>
        <TimeBar />
        <Person />
        <span className={css.onPhone}>
          <ThemeSwitch isSmall />
        </span>
      </div>
    </div>
  );
}
