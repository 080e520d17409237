import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { session } from '../api/session.js';
import { useCaller } from '../api/use-caller.js';
import { Dialog } from '../elements/dialog.js';
import { Menu, Moon, Search, Sun } from '../elements/icons.js';
import { Page } from '../elements/page.js';
import { Empty, Loading } from '../elements/states.js';
import { CommandPalette } from './command-palette.js';
import { ConnectionNotice } from './connection-notice.js';
import { Mark } from './mark.js';
import { mayShow, pagesFor } from './navigation.js';
import { setTheme, useTheme } from '../elements/theme.js';

/** The frame around every page: navigation, search, and who is signed in. */
export function Shell() {
  const { may } = useCaller();
  const [palette, setPalette] = useState(false);
  const [drawer, setDrawer] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setDrawer(false), [path]);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setPalette(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <div className="lg:grid lg:grid-cols-[14rem_1fr]">
      <a
        href="#content"
        className="sr-only z-50 rounded bg-surface px-3 py-2 focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-ground lg:block">
        <Sidebar onSearch={() => setPalette(true)} />
      </aside>
      <header className="sticky top-0 z-30 flex h-12 items-center gap-3 border-b border-line bg-ground px-4 lg:hidden">
        <button type="button" aria-label="Open navigation" onClick={() => setDrawer(true)}>
          <Menu />
        </button>
        <Mark />
        <span className="font-semibold">Forecourt</span>
        <button
          type="button"
          aria-label="Search"
          className="ml-auto p-1"
          onClick={() => setPalette(true)}
        >
          <Search />
        </button>
      </header>
      <Dialog title="Navigation" hideTitle place="side" open={drawer} onOpenChange={setDrawer}>
        <Sidebar onSearch={() => setPalette(true)} />
      </Dialog>
      <main id="content" tabIndex={-1} className="min-h-dvh min-w-0 outline-none">
        <ConnectionNotice />
        <Suspense fallback={<Loading lines={6} />}>
          {mayShow(path, may) ? <Outlet /> : <NotForThisRole />}
        </Suspense>
        <footer className="px-4 pb-6 text-xs text-soft sm:px-6 lg:px-8">
          <Link to="/help" className="underline-offset-2 hover:text-text hover:underline">
            What the words mean
          </Link>
        </footer>
      </main>
      <CommandPalette open={palette} onOpenChange={setPalette} />
    </div>
  );
}

function NotForThisRole() {
  return (
    <Page title="Not for this role">
      <Empty title="The token’s role does not show this page">
        It needs the role operator or auditor.
      </Empty>
    </Page>
  );
}

function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const { name, roles, may } = useCaller();
  const theme = useTheme();
  return (
    <div className="flex h-full flex-col gap-4 p-3">
      <div className="flex items-center gap-2.5 px-2 pt-1.5">
        <Mark />
        <span className="text-base font-semibold tracking-tight">Forecourt</span>
      </div>
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-soft hover:border-strong"
      >
        <Search />
        Search
        <kbd className="ml-auto font-sans text-2xs">Ctrl K</kbd>
      </button>
      <nav aria-label="Pages">
        <ul className="flex flex-col gap-px">
          {pagesFor(may).map(({ to, name: title, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-soft hover:bg-sunken hover:text-text data-[status=active]:bg-sunken data-[status=active]:font-medium data-[status=active]:text-text"
              >
                <Icon />
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex items-center gap-2 border-t border-line px-2 pt-3">
        <div className="min-w-0">
          <p className="truncate font-medium" title={name}>
            {name}
          </p>
          <p className="truncate text-xs text-soft">{roles.join(', ')}</p>
        </div>
        <button
          type="button"
          aria-label={theme === 'dark' ? 'Use light colours' : 'Use dark colours'}
          className="ml-auto rounded p-1.5 text-soft hover:bg-sunken hover:text-text"
          onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
        >
          {theme === 'dark' ? <Sun /> : <Moon />}
        </button>
      </div>
      <div className="mx-2 flex gap-4 text-xs text-soft">
        <button
          type="button"
          className="underline-offset-2 hover:text-text hover:underline"
          onClick={() => session.end()}
        >
          Sign out
        </button>
        <Link to="/help" className="underline-offset-2 hover:text-text hover:underline">
          Help
        </Link>
      </div>
    </div>
  );
}
