import type { ExecuteTxOptions, ExecuteTxResponse } from '@forecourt/contracts';
import type { Ledger, TransactionPart } from '@forecourt/ledger';
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { LRUCache } from 'lru-cache';

type Shown = Omit<ExecuteTxResponse, 'effects' | 'error'>;

const FIELD_OF = {
  events: 'events',
  objectChanges: 'object_changes',
  balanceChanges: 'balance_changes',
  input: 'input',
} as const satisfies Record<TransactionPart, keyof Shown>;

/** The parts of a transaction that a request asks for besides the effects. */
export function partsOf(options: ExecuteTxOptions | null | undefined): readonly TransactionPart[] {
  const wanted: Record<TransactionPart, boolean | null | undefined> = {
    events: options?.showEvents,
    objectChanges: options?.showObjectChanges,
    balanceChanges: options?.showBalanceChanges,
    input: options?.showInput,
  };
  const parts = Object.keys(wanted) as TransactionPart[];
  return parts.filter((part) => wanted[part] === true);
}

const MAX_BYTES = 16 * 2 ** 20;
const KEPT_MS = 600_000;

/** Reads parts of executed transactions from the ledger, once while they are kept: calls can be repeated at no cost. */
@Injectable()
export class ShownParts {
  readonly #shown = new LRUCache<string, Shown>({
    maxSize: MAX_BYTES,
    sizeCalculation: (shown) => JSON.stringify(shown).length,
    ttl: KEPT_MS,
  });

  constructor(
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'readTransactionParts'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Reads all parts in one call. Never throws, because the transaction is executed already: parts that cannot be read are null. */
  async read(digest: string, parts: readonly TransactionPart[]): Promise<Shown> {
    const key = `${digest} ${parts.join()}`;
    const known = this.#shown.get(key);
    if (known) return known;
    const read = await this.ledger.readTransactionParts(digest, parts).catch((cause: unknown) => {
      this.logger.warn({ digest, cause: String(cause) }, 'parts of a transaction not read');
      return null;
    });
    const shown: Shown = Object.fromEntries(
      parts.map((part) => [FIELD_OF[part], read?.[part] ?? null]),
    );
    if (parts.every((part) => read?.[part] != null)) this.#shown.set(key, shown);
    return shown;
  }
}
