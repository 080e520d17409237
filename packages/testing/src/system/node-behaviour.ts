/** How devnet's node answers: see "Kinds of nodes" in docs/devnet.md. */
export interface NodeBehaviour {
  readonly version: '2025' | '2026';
  readonly behindIndexer: boolean;
  readonly missingIsTransient: boolean;
  readonly certificateless: boolean;
  readonly softLockMs: number;
  readonly requiredHeaders: Readonly<Record<string, string>>;
  readonly unsupportedFilters: readonly string[];
  /** How far reads are behind the validators: a time, or a range such as `0-500`. */
  readonly lagMs: number | string;
}

/** devnet's faults that stand for what real nodes, and balancers in front of them, do to any call. */
export interface NodeFaults {
  /** HTTP 429, or -32009 with HTTP 200; with `perSecond` only calls after so many in a second. */
  readonly limitRate: (limit?: {
    readonly as?: 'status' | 'error';
    readonly retryAfterSecs?: number;
    readonly perSecond?: number;
    readonly of?: 'requests' | 'notFound';
    readonly method?: string;
    readonly times?: number;
  }) => Promise<void>;
  /** An answer of a balancer; HTML unless told otherwise. */
  readonly replyInstead: (reply: {
    readonly status: number;
    readonly contentType?: string;
    readonly body?: string;
    readonly method?: string;
    readonly times?: number;
  }) => Promise<void>;
  /** Transactions have no `objectChanges`, but `errors`; with a digest only that one. */
  readonly omitObjectChanges: (digest?: string) => Promise<void>;
  /** Answers that contain this transaction fail as a whole. */
  readonly failToConvert: (digest: string) => Promise<void>;
  /** The index of transactions takes them up in groups, each backwards, until the faults are cleared. */
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
