/** Behaviour of devnet's node: see "Kinds of nodes" in docs/devnet.md. */
export interface NodeBehaviour {
  readonly version: '2022' | '2025' | '2026';
  readonly behindIndexer: boolean;
  readonly missingIsTransient: boolean;
  readonly certificateless: boolean;
  readonly softLockMs: number;
  readonly requiredHeaders: Readonly<Record<string, string>>;
  readonly unsupportedFilters: readonly string[];
  /** Delay of reads behind the validators: a time, or a range such as `0-500`. */
  readonly lagMs: number | string;
}

/**
 * devnet's faults that imitate failures of real nodes, and of balancers in front of them, on any
 * call.
 */
export interface NodeFaults {
  /** HTTP 429, or -32009 with HTTP 200; `perSecond`: only for calls above this rate. */
  readonly limitRate: (limit?: {
    readonly as?: 'status' | 'error';
    readonly retryAfterSecs?: number;
    readonly perSecond?: number;
    readonly of?: 'requests' | 'notFound';
    readonly method?: string;
    readonly times?: number;
  }) => Promise<void>;
  /** A response of a balancer; HTML by default. */
  readonly replyInstead: (reply: {
    readonly status: number;
    readonly contentType?: string;
    readonly body?: string;
    readonly method?: string;
    readonly times?: number;
  }) => Promise<void>;
  /** Transactions have `errors` instead of `objectChanges`; with a digest only that transaction. */
  readonly omitObjectChanges: (digest?: string) => Promise<void>;
  /** Answers that contain this transaction fail as a whole. */
  readonly failToConvert: (digest: string) => Promise<void>;
  /**
   * The index of transactions records them in groups, each backwards, until the faults are cleared.
   */
  readonly reorderIndex: (group: number) => Promise<void>;
}

type SetFault = (fault: Record<string, unknown>) => Promise<void>;

export function nodeFaults(fault: SetFault): NodeFaults {
  return {
    limitRate: (limit = {}) => fault({ kind: 'rateLimit', ...limit }),
    replyInstead: (reply) => fault({ kind: 'httpReply', ...reply }),
    omitObjectChanges: (digest) => fault({ kind: 'omitChanges', digest: digest ?? null }),
    failToConvert: (digest) => fault({ kind: 'unconvertible', digest }),
    reorderIndex: (group) => fault({ kind: 'reorder', group }),
  };
}
