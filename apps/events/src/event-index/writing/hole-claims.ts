import { type Hole, readHoles } from '../store/indexed-ledger.js';
import type { IndexDatabase } from '../store/index-database.js';
import { type IndexSources, placeOf } from './index-sources.js';
import type { IndexWriter } from './index-writer.js';

/**
 * Checkpoints that one worker reads: few enough for workers to share a hole, and for others to see its events
 * soon.
 */
const CHUNK = 1_000;
const LOOKED_AT = 100;
/** Until a node that has pruned a hole may be replaced by one that has not. */
const PRUNED_SECONDS = 600;

/** Gives each worker of this process another part of the holes. */
export class HoleClaims {
  /** Positions at which the taken holes end: their beginnings move. */
  readonly #taken = new Set<number>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: IndexDatabase,
    private readonly sources: IndexSources,
    private readonly writer: IndexWriter,
  ) {}

  /** The newest part that it is time to read; null without one. Until `release` no other call returns it. */
  take(): Promise<Hole | null> {
    const turn = this.#turn.then(() => this.find());
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  release({ end }: Hole): void {
    this.#taken.delete(end.position);
  }

  private async find(): Promise<Hole | null> {
    const { pool } = this.database.primary;
    const holes = await readHoles(pool, { limit: LOOKED_AT, due: true });
    const free = holes.filter(({ end }) => !this.#taken.has(end.position)).reverse();
    if (free.length === 0) return null;
    const lowest = await this.findLowest();
    for (const hole of free) {
      if (hole.end.checkpoint <= lowest) {
        const detail = `The ledger nodes have nothing before checkpoint ${lowest}`;
        await this.writer.postpone(hole, 'pruned', detail, PRUNED_SECONDS);
        continue;
      }
      const part = await this.cut(hole, lowest);
      this.#taken.add(part.end.position);
      return part;
    }
    return null;
  }

  /** The lowest checkpoint that a node has. Throws if none answers. */
  private async findLowest(): Promise<number> {
    const calls = this.sources.all.map(async (source) => {
      await this.sources.requireSameLedger(source);
      return (await source.lowestCheckpoint()) ?? Infinity;
    });
    const answers = await Promise.allSettled(calls);
    const checkpoints = answers.filter((answer) => answer.status === 'fulfilled');
    if (checkpoints.length === 0) throw (answers[0] as PromiseRejectedResult).reason;
    return Math.min(...checkpoints.map(({ value }) => value));
  }

  /** The newest part of a hole that a worker can read. */
  private async cut(hole: Hole, lowest: number): Promise<Hole> {
    const from = Math.max(hole.end.checkpoint - CHUNK, lowest);
    if (from <= hole.first.checkpoint) return hole;
    const place = await this.sources.ask((source) => placeOf(source, from));
    const isInside = place.position > hole.first.position && place.position < hole.end.position;
    return isInside ? this.writer.split(hole, place) : hole;
  }
}
