import type { EventSource } from '../../upstreams/event-source.js';
import { UpstreamFailed } from '../../upstreams/upstream-errors.js';
import { type IndexSources, OtherLedger } from './index-sources.js';

/** How long a node may stand still while another one is ahead. */
const LOOK_EVERY_MS = 5_000;
/** Nodes of one network are seldom further apart. */
const AHEAD = 20;

export interface LagWatch {
  /**
   * Aborts with an `UpstreamFailed` when the node stands still although another one is ahead, or because it is on another
   * ledger by now.
   */
  readonly fellBehind: AbortSignal;
  stop(): void;
}

/** Watches the node in use. `written`: the number of the next checkpoint. */
export function watchLag(
  sources: IndexSources,
  inUse: EventSource,
  written: () => number,
  everyMs = LOOK_EVERY_MS,
): LagWatch {
  const behind = new AbortController();
  const others = sources.all.filter((source) => source !== inUse);
  let before = written();
  const look = async () => {
    const next = written();
    const hasAdvanced = next > before;
    before = next;
    if (hasAdvanced) return;
    await sources.requireSameLedger(inUse).catch((error: unknown) => {
      if (error instanceof OtherLedger) behind.abort(error);
    });
    for (const source of others) {
      await sources.requireSameLedger(source);
      const latest = await source.latestCheckpoint();
      if (latest === null || latest < next + AHEAD || written() > next) continue;
      const why = `stands still at checkpoint ${next - 1}, while ${source.name} has ${latest}`;
      behind.abort(new UpstreamFailed(`${inUse.name} ${why}`));
      return;
    }
  };
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return { fellBehind: behind.signal, stop: () => clearInterval(timer) };
}
