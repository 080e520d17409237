import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import {
  ACCESS_REFUSALS,
  ForecourtError,
  type ReplayAccessRequest,
  type ReplayProgress,
  type ReplayReport,
  type TrafficPeriod,
} from '@forecourt/contracts';
import { AccessPolicy } from '../access/access-policy.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { HistoryClient } from '../history/history-client.js';
import { requireOrder } from '../history/read-filters.js';
import type { ReplayFindings, ReplayTask } from './replay-messages.js';
import { ReplayThread } from './replay-thread.js';

/** Small enough that history and a gateway need a millisecond for it. */
const PAGE = 50;
/** Between the beginnings of pages: a hundred thousand decisions then take less than half a minute. */
const PAGE_EVERY_MS = 13;
const PROGRESS_EVERY_MS = 1_000;
const LONGEST_REST_MS = 10;
const DAY_MS = 86_400_000;
const RETRY_AFTER_SECS = 30;

export type ReplayEvent =
  | { readonly type: 'progress'; readonly data: ReplayProgress }
  | { readonly type: 'result'; readonly data: ReplayReport };

/** Tries proposed access rules on recorded traffic, one replay at a time. */
@Injectable()
export class AccessReplays implements BeforeApplicationShutdown {
  /** Of the replay that runs; null: none does. */
  #running: AbortController | null = null;

  constructor(
    private readonly policy: AccessPolicy,
    private readonly history: HistoryClient,
    @Inject(GATEWAY_CONFIG)
    private readonly config: Pick<GatewayConfig, 'allowAbstractAccounts' | 'maxGasPriceRatio'>,
  ) {}

  beforeApplicationShutdown(): void {
    this.#running?.abort();
  }

  /**
   * Replays until `signal` is aborted; the first event comes once the rules are read. Throws REPLAY_RUNNING, INVALID_REQUEST,
   * ACCESS_RULES_INVALID, REPLAY_TOO_COSTLY, HISTORY_UNREACHABLE.
   */
  async *replay(request: ReplayAccessRequest, signal: AbortSignal): AsyncGenerator<ReplayEvent> {
    if (this.#running !== null) {
      throw new ForecourtError('REPLAY_RUNNING', '', { retryAfterSecs: RETRY_AFTER_SECS });
    }
    const { from, token } = request;
    const to = request.to ?? Date.now();
    requireOrder({ from, to });
    const viewer = { token: null, user: null };
    const period: TrafficPeriod = { viewer, from, to, ...(token != null && { token }) };
    const running = (this.#running = new AbortController());
    const stop = () => running.abort();
    signal.addEventListener('abort', stop, { once: true });
    let report: ReplayReport;
    try {
      const thread = await ReplayThread.start(this.taskOf(request), running.signal);
      report = yield* this.run(thread, period, running.signal);
    } finally {
      signal.removeEventListener('abort', stop);
      // Ends the thread too.
      running.abort();
      this.#running = null;
    }
    // The place is free before a slow client has read the result.
    yield { type: 'result', data: report };
  }

  private taskOf({ rules, files }: ReplayAccessRequest): ReplayTask {
    const { rulesFile, tokens } = this.policy.replayed;
    const { allowAbstractAccounts, maxGasPriceRatio } = this.config;
    const given = (files ?? []).map(({ path, content }) => {
      return [path, Buffer.from(content, 'base64')] as const;
    });
    return {
      rulesFile,
      versions: this.policy.versions,
      proposed: { rules, files: new Map(given) },
      tokens,
      settings: { allowAbstractAccounts, maxGasPriceRatio },
    };
  }

  private async *run(
    thread: ReplayThread,
    period: TrafficPeriod,
    signal: AbortSignal,
  ): AsyncGenerator<ReplayEvent, ReplayReport> {
    const { from, to, token = null } = period;
    let records = 0;
    let at = from;
    let shownAt = -Infinity;
    const isDue = () => performance.now() - shownAt >= PROGRESS_EVERY_MS;
    const progress = (): ReplayEvent => {
      shownAt = performance.now();
      return { type: 'progress', data: { records, at } };
    };
    yield progress();
    // The next page is read while the thread decides about the one before.
    let reading = this.history.readTraffic({ ...period, limit: PAGE });
    for (;;) {
      const begun = performance.now();
      const { data, next } = await reading;
      signal.throwIfAborted();
      if (next !== null) {
        reading = this.history.readTraffic({ ...period, limit: PAGE, after: next });
        // Awaited only after the thread has answered.
        reading.catch(() => undefined);
      }
      if (data.length > 0) await thread.decide(data);
      records += data.length;
      at = data.at(-1)?.at ?? at;
      if (next === null) break;
      if (isDue()) yield progress();
      await delay(restAfter(performance.now() - begun), null, { signal });
    }
    const untried = { sponsorships: 0, refusals: 0 };
    for (let end = to; end > from;) {
      const begin = Math.max(from, end - DAY_MS);
      const counted = await this.history.countUntried({ ...period, from: begin, to: end });
      signal.throwIfAborted();
      untried.sponsorships += counted.sponsorships;
      untried.refusals += counted.refusals;
      if (isDue()) yield progress();
      if (counted.first === null || begin <= counted.first) break;
      end = begin;
    }
    const findings = await thread.report();
    const { skipped, report } = findings;
    return {
      from,
      to,
      token,
      not_replayable: {
        sponsorships: untried.sponsorships + skipped.sponsorships,
        refusals: untried.refusals + skipped.refusals,
        only_counted: await this.countDropped(period),
      },
      ...report,
      notes: notesOn(findings),
    };
  }

  private async countDropped({ viewer, from, to, token }: TrafficPeriod): Promise<number> {
    const filters = { from, to, ...(token !== undefined && { token }) };
    const { dropped } = await this.history.listRefusals({ viewer, filters, limit: 1 });
    const byRules = dropped.filter(({ code }) => ACCESS_REFUSALS.some((one) => one === code));
    return byRules.reduce((sum, { requests }) => sum + requests, 0);
  }
}

/** How long history, its database and this gateway work for others after a page that took so many ms. */
function restAfter(ms: number): number {
  return Math.max(PAGE_EVERY_MS - ms, Math.min(ms / 2, LONGEST_REST_MS));
}

function notesOn({ report, dryRun }: ReplayFindings): string[] {
  const notes = [
    'Limits count from the beginning of the period on: what was used before is not known. A refused transaction that would be allowed counts its maximum cost.',
  ];
  if (report.undecided.length > 0) {
    notes.push('What is undecided counts in no limit.');
  }
  if (dryRun.inForce) notes.push('The rules in force are only tried out: they refuse nothing.');
  if (dryRun.proposed) notes.push('The proposed rules say dry-run: they would refuse nothing.');
  return notes;
}
