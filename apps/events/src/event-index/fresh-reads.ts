import type { Pool } from 'pg';
import type { IndexDatabase } from './store/index-database.js';

/**
 * Chooses where rows are read: at the read replica if it has everything that a client may have seen,
 * otherwise at the primary.
 */
export class FreshReads {
  /** The newest state that the replica has shown. */
  #replicated = -1;
  readonly totals = { replica: 0, primary: 0 };

  constructor(private readonly database: IndexDatabase) {}

  /** `changes`: of the primary's state at the beginning of the query. */
  async choose(changes: number): Promise<Pool> {
    const { primary, replica } = this.database;
    if (replica !== null && (await this.isFresh(replica.pool, changes))) {
      this.totals.replica += 1;
      return replica.pool;
    }
    this.totals.primary += 1;
    return primary.pool;
  }

  private async isFresh(replica: Pool, changes: number): Promise<boolean> {
    if (this.#replicated >= changes) return true;
    try {
      const { rows } = await replica.query<{ changes: number }>(
        'SELECT changes FROM events.ledger',
      );
      this.#replicated = rows[0]?.changes ?? -1;
    } catch {
      // The primary serves while the replica is away.
      this.#replicated = -1;
    }
    return this.#replicated >= changes;
  }
}
