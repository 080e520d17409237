import type {
  ArgumentsOfCalls,
  BalanceChange,
  DecodedTransaction,
  MoveCall,
} from '@forecourt/ledger';

/** The facts that are known when gas is reserved. */
export interface ReservationSubject {
  /** Name of the token's entry; users of one entry share it. */
  readonly caller: string;
  readonly reservation: {
    /** In the smallest unit. */
    readonly gasBudget: number;
    readonly durationSecs: number;
  };
  readonly time: Date;
  /** The sponsor that pays, in full form; null: none is chosen yet. */
  readonly sponsor: string | null;
}

/** The caller of a request, and the user among those of its token. */
export type Initiator = Pick<AccessSubject, 'caller' | 'user'>;

/** The names that a call for this caller counts against: its token and, if the token has users, the user. */
export function holdersOf({ caller, user = caller }: Initiator): readonly string[] {
  return user === caller ? [caller] : [caller, user];
}

/** The result of a part of a decision, done at once. Throws as `AccessSubject.measure`. */
export function measured<T>({ measure }: Pick<AccessSubject, 'measure'>, work: () => T): T {
  return measure === undefined ? work() : measure(work);
}

/** The facts that are known when a transaction is executed. */
export interface AccessSubject extends ReservationSubject {
  /** Name of the caller; absent: the same as `caller`, because the token has no users. */
  readonly user?: string;
  readonly transaction: DecodedTransaction;
  /** Whether an abstract account's authenticator authorises it; absent: no, or it is not signed yet. */
  readonly isOfAbstractAccount?: boolean;
  /**
   * The maximum cost to the sponsor, in the smallest unit: the amount that limits on gas count until it
   * settles.
   */
  readonly largestCost: bigint;
  /** The ledger's reference gas price of this epoch; null if it is not known. */
  readonly referenceGasPrice: bigint | null;
  /**
   * The transaction in the JSON of the ledger's own tools, or a promise of it, created on first use. Its
   * `ForecourtError` refuses the request.
   */
  readonly transactionJson: () => unknown;
  /**
   * See `LedgerReader.readArguments`. Throws `AccessUndecided` if the ledger does not answer, and
   * `ForecourtError`, which refuses the request.
   */
  readonly readArguments: (isRelevant: (call: MoveCall) => boolean) => Promise<ArgumentsOfCalls>;
  /**
   * By a dry run, which is made once, without the gas; null: it did not succeed. Throws as `readArguments`.
   */
  readonly readBalanceChanges: () => Promise<readonly BalanceChange[] | null>;
  /**
   * Does a part of the decision, whose processor time is taken from the caller's share; absent: it has none.
   * Throws a `ForecourtError`, which refuses the request, if the share is used up.
   */
  readonly measure?: <T>(work: () => T) => T;
  readonly reservationId: number;
  /** Base64. */
  readonly txBytes: string;
  /** Base64. */
  readonly userSig: string;
  /** A header of the request by its lower-case name. */
  readonly header: (name: string) => string | undefined;
}
