import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Link,
  Outlet,
} from '@tanstack/react-router';
import { useToken } from '../api/session.js';
import { CONSOLE_PATH } from '../api/station-url.js';
import { Page } from '../elements/page.js';
import { Empty, Failure, Loading } from '../elements/states.js';
import type { OverviewPeriod } from '../pages/overview/overview-periods.js';
import type { Grouping } from '../pages/usage/usage-page.js';
import { readSponsorshipSearch } from '../pages/sponsorships/sponsorship-search.js';
import type { UsagePeriod } from '../pages/usage/usage-periods.js';
import { Shell } from './shell.js';
import { SignIn } from './sign-in.js';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

/**
 * Shows the sign-in page to a visitor without a token; the address stays, so that a link works after signing
 * in.
 */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: () => (useToken() === null ? <SignIn /> : <Shell />),
});

type Given = Readonly<Record<string, unknown>>;
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const routes = [
  createRoute({
    getParentRoute: () => signedIn,
    path: '/',
    validateSearch: ({ period }: Given): { period?: OverviewPeriod | undefined } => ({
      period: oneOf(['hour', 'day', 'month'], period),
    }),
    component: lazyRouteComponent(
      () => import('../pages/overview/overview-page.js'),
      'OverviewPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/sponsorships',
    validateSearch: readSponsorshipSearch,
    component: lazyRouteComponent(
      () => import('../pages/sponsorships/sponsorships-page.js'),
      'SponsorshipsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/sponsorships/$id',
    component: lazyRouteComponent(
      () => import('../pages/sponsorships/sponsorship-page.js'),
      'SponsorshipPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/refusals',
    validateSearch: ({
      code,
      token,
      period,
    }: Given): {
      code?: string | undefined;
      token?: string | undefined;
      period?: string | undefined;
    } => ({
      code: textOf(code),
      token: textOf(token),
      period: textOf(period),
    }),
    component: lazyRouteComponent(
      () => import('../pages/refusals/refusals-page.js'),
      'RefusalsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/refusals/$at',
    validateSearch: ({ request }: Given): { request?: string | undefined } => ({
      request: textOf(request),
    }),
    component: lazyRouteComponent(() => import('../pages/refusals/refusal-page.js'), 'RefusalPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/usage',
    validateSearch: ({
      period,
      by,
    }: Given): { period?: UsagePeriod | undefined; by?: Grouping | undefined } => ({
      period: oneOf(['day', 'week', 'month', 'quarter'], period),
      by: oneOf(['token', 'sender', 'function', 'package', 'user', 'sponsor', 'day', 'month'], by),
    }),
    component: lazyRouteComponent(() => import('../pages/usage/usage-page.js'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/webhooks',
    component: lazyRouteComponent(
      () => import('../pages/webhooks/webhooks-page.js'),
      'WebhooksPage',
    ),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/limits',
    component: lazyRouteComponent(() => import('../pages/access/limits-page.js'), 'LimitsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/events',
    component: lazyRouteComponent(() => import('../pages/events/events-page.js'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/pool',
    component: lazyRouteComponent(() => import('../pages/pool/pool-page.js'), 'PoolPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/access',
    component: lazyRouteComponent(() => import('../pages/access/access-page.js'), 'AccessPage'),
  }),
  createRoute({
    getParentRoute: () => signedIn,
    path: '/help',
    component: lazyRouteComponent(() => import('../pages/help/help-page.js'), 'HelpPage'),
  }),
] as const;

function oneOf<T extends string>(known: readonly T[], value: unknown): T | undefined {
  return known.find((one) => one === value);
}

export const router = createRouter({
  routeTree: root.addChildren([signedIn.addChildren(routes)]),
  basepath: CONSOLE_PATH,
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: ({ error }) => (
    <Failure error={error as Error} onRetry={() => location.reload()} />
  ),
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  return (
    <Page title="No such page">
      <Empty title="The console has no such page">
        <Link to="/" className="text-accent underline">
          Overview
        </Link>
      </Empty>
    </Page>
  );
}
