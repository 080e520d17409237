import { setTimeout as delay } from 'node:timers/promises';
import { openPool, registerSponsor } from '@forecourt/coin-store';
import { LedgerUnreachable } from '@forecourt/ledger';
import type { PoolParts } from './pool-parts.js';

const RETRY_MS = 1_000;

/** The pool in Redis was filled on another network than the node serves. */
export class WrongNetwork extends Error {
  override readonly name = 'WrongNetwork';

  constructor(sponsor: string, belongsTo: string, chain: string) {
    super(
      `the pool of sponsor ${sponsor} belongs to network ${belongsTo}, but the node at LEDGER_URL serves network ${chain}. ` +
        'Point LEDGER_URL at a node of the pool’s network, or REDIS_URL at another Redis or another database of it ' +
        '(redis://host:port/1) for the new network; the coins of the old one stay on their ledger.',
    );
  }
}

/** Opens the pool of every sponsor for the node's network; waits for a node that is not there yet. Throws `WrongNetwork`. */
export async function openPools(parts: PoolParts): Promise<void> {
  const { redis, ledger, signers, logger, state } = parts;
  const chain = await untilReachable(() => ledger.chainIdentifier(), logger);
  for (const { address } of signers) {
    const index = await registerSponsor(redis, address);
    const opened = await openPool(redis, address, chain);
    if (!opened.opened) throw new WrongNetwork(address, opened.belongsTo, chain);
    logger.info({ sponsor: address, index, network: chain }, 'pool opened');
  }
  state.chain = chain;
}

async function untilReachable<T>(ask: () => Promise<T>, logger: PoolParts['logger']): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof LedgerUnreachable)) throw error;
      if (attempt === 1) logger.warn({ error: error.message }, 'waiting for the ledger node');
      await delay(RETRY_MS);
    }
  }
}
