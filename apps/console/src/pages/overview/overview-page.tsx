import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { limitsQuery, overviewQuery, recentSponsorshipsQuery } from '../../api/queries.js';
import { useCaller } from '../../api/use-caller.js';
import { Button } from '../../elements/button.js';
import { Segments } from '../../elements/fields.js';
import { Pause, Play } from '../../elements/icons.js';
import { Page } from '../../elements/page.js';
import { ActivityPanel } from './activity-panel.js';
import { assessHealth } from './assess-health.js';
import { FiguresRow } from './figures-row.js';
import { HealthBanner } from './health-banner.js';
import { LatencyPanel } from './latency-panel.js';
import { type OverviewPeriod, periodNames } from './overview-periods.js';
import { RecentPanel } from './recent-panel.js';
import { RefusedReasons } from './refused-reasons.js';
import { SponsorsPanel } from './sponsors-panel.js';
import { useOverviewFigures } from './use-overview-figures.js';

/** Healthy or not, what is sponsored, and how long the gas lasts. */
export function OverviewPage() {
  const { may } = useCaller();
  const [isPaused, setPaused] = useState(false);
  const { period = 'hour' } = useSearch({ from: '/signed-in/' });
  const navigate = useNavigate({ from: '/' });
  const setPeriod = (chosen: OverviewPeriod) =>
    void navigate({ search: { period: chosen }, replace: true });
  const overview = useQuery({ ...overviewQuery, enabled: may.reads && !isPaused });
  const recent = useQuery({ ...recentSponsorshipsQuery, enabled: !isPaused });
  const limits = useQuery({ ...limitsQuery(''), enabled: may.reads && !isPaused });
  return (
    <Page
      title="Overview"
      actions={
        <>
          <Segments label="Time" options={periodNames} value={period} onChoose={setPeriod} />
          <Button onClick={() => setPaused(!isPaused)} aria-pressed={isPaused}>
            {isPaused ? <Play /> : <Pause />}
            {isPaused ? 'Follow' : 'Pause updates'}
          </Button>
        </>
      }
    >
      {may.reads && (
        <HealthBanner
          findings={overview.data && assessHealth(overview.data, limits.data?.limits)}
          error={overview.error}
        />
      )}
      <PeriodPanels
        key={period}
        period={period}
        isPaused={isPaused}
        waiting={overview.data?.queue?.waiting}
      />
      {may.reads && <SponsorsPanel query={overview} />}
      <RecentPanel period={period} query={recent} />
    </Page>
  );
}

/** The figures of a time. Another time has its own panels, so that none shows figures of the time before. */
function PeriodPanels({
  period,
  isPaused,
  waiting,
}: {
  readonly period: OverviewPeriod;
  readonly isPaused: boolean;
  readonly waiting: number | undefined;
}) {
  const figures = useOverviewFigures(period, isPaused);
  return (
    <>
      <FiguresRow period={period} figures={figures} />
      <div className="grid gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid min-w-0 gap-5">
          <ActivityPanel period={period} query={figures.usage} />
          <LatencyPanel period={period} query={figures.latency} waiting={waiting} />
        </div>
        <RefusedReasons period={period} query={figures.codes} />
      </div>
    </>
  );
}
