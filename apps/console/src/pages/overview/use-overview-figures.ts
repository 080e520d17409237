import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { LatencySummary, UsageSummary } from '../../generated/gateway-types.js';
import {
  latencyBeforeQuery,
  latencyQuery,
  usageBeforeQuery,
  usageQuery,
} from '../../api/queries.js';
import { pollEvery } from '../../api/poll-every.js';
import { beginOf } from '../usage/usage-periods.js';
import { type OverviewPeriod, overviewPeriods } from './overview-periods.js';

export interface OverviewFigures {
  /** By minute, hour or day. */
  readonly usage: UseQueryResult<UsageSummary>;
  readonly latency: UseQueryResult<LatencySummary>;
  /** Of the time before, in all. */
  readonly usageBefore: UseQueryResult<UsageSummary>;
  readonly latencyBefore: UseQueryResult<LatencySummary>;
  /** By code. */
  readonly codes: UseQueryResult<UsageSummary>;
}

/** Everything on the overview that belongs to a time, and the figures of the time before. */
export function useOverviewFigures(period: OverviewPeriod, isPaused: boolean): OverviewFigures {
  const { bar, ms, refreshMs } = overviewPeriods[period];
  // At the beginning of a bar: the queries are new ones once for each.
  const from = beginOf(overviewPeriods[period], Date.now());
  const refreshed = {
    refetchInterval: isPaused ? (false as const) : pollEvery(refreshMs),
    placeholderData: keepPreviousData,
  };
  return {
    usage: useQuery({ ...usageQuery({ from, group_by: bar }), ...refreshed }),
    latency: useQuery({ ...latencyQuery(bar), ...refreshed }),
    usageBefore: useQuery({ ...usageBeforeQuery(from, ms), ...refreshed }),
    latencyBefore: useQuery({ ...latencyBeforeQuery(from, ms, bar), ...refreshed }),
    codes: useQuery({ ...usageQuery({ from, group_by: 'code' }), ...refreshed }),
  };
}
