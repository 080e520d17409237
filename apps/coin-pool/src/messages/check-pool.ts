import { releaseReservation, reserveGas } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { PoolParts } from '../pool/pool-parts.js';

/** A caller of its own: no client can use or see what a check reserves. */
const CALLER = 'health-check';
const HELD_MS = 5_000;

/**
 * The deep health check: reserves, signs a message that cannot be submitted, asks the ledger, and gives the coin back.
 * Checks at the same time are one check, so that many cannot drain the pool.
 */
export class CheckPool {
  private running: Promise<void> | null = null;

  constructor(private readonly parts: PoolParts) {}

  /** Throws NO_COINS, POOL_REFUSED, LEDGER_UNREACHABLE. */
  run(): Promise<void> {
    this.running ??= this.check().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async check(): Promise<void> {
    const { redis, signers, ledger, settings, state } = this.parts;
    if (!state.opened) throw new ForecourtError('POOL_REFUSED', 'it is not open yet');
    await this.parts.gate.pass();
    for (const signer of signers) {
      const request = { caller: CALLER, gasBudget: 1, durationMs: HELD_MS };
      this.parts.gate.assertOpen();
      const [reserved] = await reserveGas(redis, signer.address, [request]);
      if (!reserved) throw new ForecourtError('NO_COINS');
      try {
        await signer.signPersonalMessage(Buffer.from(`healthy at ${reserved.deadlineMs}`));
        await ledger.status(0);
      } finally {
        await releaseReservation(redis, signer.address, {
          reservationId: reserved.reservationId,
          caller: CALLER,
          retentionMs: settings.retentionMs,
        });
      }
    }
  }
}
