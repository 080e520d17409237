export const faultKinds = ['inconvertible', 'gap', 'rate_limited', 'invalid_reply'] as const;

/** A response of a node that cannot be converted to events. */
export interface UpstreamFault {
  readonly kind: (typeof faultKinds)[number];
  /** The node's host and port. */
  readonly host: string;
  readonly message: string;
}

export type ReportFault = (fault: UpstreamFault) => void;
