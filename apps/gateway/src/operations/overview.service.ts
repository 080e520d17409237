import { Injectable } from '@nestjs/common';
import {
  type ErrorCode,
  errorTable,
  ForecourtError,
  type ListRecords,
  type Viewer,
} from '@forecourt/contracts';
import type { FleetProblem, Overview, RecentRequests } from '@forecourt/contracts/http';
import { within } from '@forecourt/runtime/async';
import { rememberAnswer } from '@forecourt/resilience';
import { HistoryClient } from '../history/history-client.js';
import { FleetService } from './fleet.service.js';

const RECENT_MS = 60_000;
const RECORDS_TIMEOUT_MS = 2_000;
const FRESH_MS = 1_000;

const EVERYBODY: Viewer = { token: null, user: null };

/** Gathers the figures of the overview, once a second at most for all who ask this gateway. */
@Injectable()
export class OverviewService {
  /** Never throws: `problems` names the parts that cannot be read. */
  readonly read: () => Promise<Overview>;
  #sponsors: Pick<Overview, 'sponsors' | 'sponsors_read_at'> = {
    sponsors: null,
    sponsors_read_at: null,
  };

  constructor(
    private readonly fleet: FleetService,
    private readonly history: HistoryClient,
  ) {
    this.read = rememberAnswer(() => this.gather(), FRESH_MS);
  }

  private async gather(): Promise<Overview> {
    const problems: FleetProblem[] = [];
    const now = Date.now();
    const read = within(this.readRecent(now - RECENT_MS, now), RECORDS_TIMEOUT_MS, 'History');
    const [{ sponsors, ...summary }, recent] = await Promise.all([
      this.fleet.summarize(),
      read.catch((error: Error) => {
        const isOff = error instanceof ForecourtError && error.code === 'HISTORY_OFF';
        if (!isOff) problems.push({ part: 'records', message: error.message });
        return null;
      }),
    ]);
    // Without an answer of the coin-pools they are shown as they were.
    if (sponsors !== null) this.#sponsors = { sponsors, sponsors_read_at: Date.now() };
    return {
      at: Date.now(),
      recent,
      ...summary,
      ...this.#sponsors,
      problems: [...summary.problems, ...problems],
    };
  }

  private async readRecent(from: number, to: number): Promise<RecentRequests> {
    const [usage, executed] = await Promise.all([
      this.history.sumUsage({ viewer: EVERYBODY, from, to, groupBy: ['code'], filters: {} }),
      this.history.listSponsorships(newest({ from, status: 'executed' })),
    ]);
    const refused = usage.rows.map(({ code = '', refused: count }) => [code, count] as const);
    const times = refused.filter(isUnserved).map(async ([code]) => {
      const { data } = await this.history.listRefusals(newest({ from, error: code }));
      return data.map(({ at }) => [code, at] as const);
    });
    const { transactions, failed } = usage.total;
    return {
      sponsored: transactions - failed,
      failed,
      refused: Object.fromEntries(refused),
      unserved_at: Object.fromEntries((await Promise.all(times)).flat()),
      executed_at: executed.data[0]?.ended_at ?? null,
    };
  }
}

function newest(filters: ListRecords['filters']): ListRecords {
  return { viewer: EVERYBODY, filters, limit: 1 };
}

/** Whether the gas station should have served it. */
function isUnserved([code]: readonly [code: string, count: number]): boolean {
  return code in errorTable && errorTable[code as ErrorCode].status >= 500;
}
