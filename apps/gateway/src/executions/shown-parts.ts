import type { ExecuteTxOptions, ExecuteTxResponse } from '@forecourt/contracts';
import type { Ledger, TransactionPart } from '@forecourt/ledger';
import { Inject, Injectable } from '@nestjs/common';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER } from '@forecourt/runtime/service';

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

/** Reads parts of executed transactions from the ledger. */
@Injectable()
export class ShownParts {
  constructor(
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'readTransactionParts'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Reads all parts in one call. Never throws, because the transaction is executed already: parts that cannot be read are null. */
  async read(digest: string, parts: readonly TransactionPart[]): Promise<Shown> {
    const read = await this.ledger.readTransactionParts(digest, parts).catch((cause: unknown) => {
      this.logger.warn({ digest, cause: String(cause) }, 'parts of a transaction not read');
      return null;
    });
    return Object.fromEntries(parts.map((part) => [FIELD_OF[part], read?.[part] ?? null]));
  }
}
