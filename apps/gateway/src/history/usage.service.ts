import { Injectable } from '@nestjs/common';
import type { UsageKey, UsageReport, Viewer } from '@forecourt/contracts';
import type { UsageQuery } from '@forecourt/contracts/http';
import { HistoryClient } from './history-client.js';
import { readFilters, requireOrder } from './read-filters.js';

/** Sums of what was sponsored. */
@Injectable()
export class UsageService {
  constructor(private readonly history: HistoryClient) {}

  /** By default of the current month, in UTC. Throws INVALID_REQUEST, HISTORY_UNREACHABLE. */
  async sum(viewer: Viewer, query: UsageQuery): Promise<UsageReport> {
    const { to = Date.now(), from = startOfMonth(to), ...filters } = readFilters(query);
    requireOrder({ from, to });
    const keys = (query.group_by?.split(',') ?? []) as UsageKey[];
    return this.history.sumUsage({ viewer, from, to, groupBy: keys, filters });
  }
}

function startOfMonth(ms: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}
