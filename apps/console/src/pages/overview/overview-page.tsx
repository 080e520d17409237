import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { liveFleetQuery } from '../../api/live-fleet.js';
import { recentRefusalsQuery, recentSponsorshipsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Button } from '../../elements/button.js';
import { Pause, Play } from '../../elements/icons.js';
import { Page } from '../../elements/page.js';
import { ActivityPanel } from './activity-panel.js';
import type { ActivityPeriod } from './activity-periods.js';
import { assessHealth } from './assess-health.js';
import { FiguresRow } from './figures-row.js';
import { HealthBanner } from './health-banner.js';
import { LatencyPanel } from './latency-panel.js';
import { RecentPanel } from './recent-panel.js';
import { RefusedReasons } from './refused-reasons.js';
import { SponsorsPanel } from './sponsors-panel.js';

/** Healthy or not, what is sponsored, and how long the gas lasts. */
export function OverviewPage() {
  const { may } = useCaller();
  const client = useQueryClient();
  const [isPaused, setPaused] = useState(false);
  const { period = 'hour' } = useSearch({ from: '/signed-in/' });
  const navigate = useNavigate({ from: '/' });
  const setPeriod = (chosen: ActivityPeriod) =>
    void navigate({ search: { period: chosen }, replace: true });
  const live = useQuery({ ...liveFleetQuery, enabled: !isPaused });
  const recent = useQuery(recentSponsorshipsQuery);
  const refusals = useQuery(recentRefusalsQuery);
  const figures = live.data?.figures;
  const pause = () => {
    setPaused(!isPaused);
    // A query that is switched off would go on.
    void client.cancelQueries(liveFleetQuery);
  };
  return (
    <Page
      title="Overview"
      actions={
        <Button onClick={pause} aria-pressed={isPaused}>
          {isPaused ? <Play /> : <Pause />}
          {isPaused ? 'Follow' : 'Pause updates'}
        </Button>
      }
    >
      {may.reads && (
        <HealthBanner
          findings={figures?.fleet && assessHealth(figures.fleet, figures.recent, figures.at)}
          error={live.error}
        />
      )}
      <FiguresRow figures={figures} />
      <div className="grid gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-5">
          <ActivityPanel period={period} onPeriod={setPeriod} isPaused={isPaused} />
          <LatencyPanel period={period} isPaused={isPaused} />
        </div>
        <RefusedReasons query={refusals} />
      </div>
      {may.reads && <SponsorsPanel query={live} />}
      <RecentPanel query={recent} />
    </Page>
  );
}
