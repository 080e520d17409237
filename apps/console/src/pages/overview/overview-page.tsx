import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  fleetQuery,
  LIVE_MS,
  pausesQuery,
  recentRefusalsQuery,
  recentSponsorshipsQuery,
} from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Button } from '../../elements/button.js';
import { Pause, Play } from '../../elements/icons.js';
import { Page } from '../../elements/page.js';
import { ActivityPanel } from './activity-panel.js';
import { assessHealth } from './assess-health.js';
import { FiguresRow } from './figures-row.js';
import { HealthBanner } from './health-banner.js';
import { RecentPanel } from './recent-panel.js';
import { RefusedReasons } from './refused-reasons.js';
import { SponsorsPanel } from './sponsors-panel.js';

/** Healthy or not, what is sponsored, and how long the gas lasts. */
export function OverviewPage() {
  const { may } = useCaller();
  const [isPaused, setPaused] = useState(false);
  const live = {
    refetchInterval: isPaused ? (false as const) : LIVE_MS,
    placeholderData: keepPreviousData,
  };
  const fleet = useQuery({ ...fleetQuery, ...live, enabled: may.reads });
  const pauses = useQuery({ ...pausesQuery, ...live, enabled: may.reads });
  const recent = useQuery({ ...recentSponsorshipsQuery, ...live });
  const refusals = useQuery({ ...recentRefusalsQuery, ...live });
  const health = fleet.data && pauses.data && assessHealth(fleet.data, pauses.data);
  return (
    <Page
      title="Overview"
      actions={
        <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
          {isPaused ? <Play /> : <Pause />}
          {isPaused ? 'Follow' : 'Pause updates'}
        </Button>
      }
    >
      {may.reads && <HealthBanner health={health} error={fleet.error ?? pauses.error} />}
      <FiguresRow recent={recent.data} refusals={refusals.data} fleet={fleet.data} />
      <div className="grid gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <ActivityPanel recent={recent} />
        <RefusedReasons query={refusals} />
      </div>
      {may.reads && <SponsorsPanel query={fleet} />}
      <RecentPanel query={recent} />
    </Page>
  );
}
