interface Reference {
  readonly objectId: string;
  readonly version: number | string;
}

/** A transaction that the sponsor sent itself. */
export interface OwnTransaction {
  /** `namePayment` of its gas coins. */
  readonly payment: string;
  readonly gas: bigint;
}

/** One text for gas coins at their versions, in any order. */
export function namePayment(coins: readonly Reference[]): string {
  return coins
    .map(({ objectId, version }) => `${objectId}@${version}`)
    .sort()
    .join();
}
