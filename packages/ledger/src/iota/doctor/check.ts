import type { ExaminedNode } from './examined-node.js';

/** A fact about a node, and its meaning for this service. */
export interface Finding {
  readonly subject: string;
  readonly answer: string;
  readonly consequence: string;
  /** `missing`: the service cannot use this node. `notice`: the service works, and the operator should know. */
  readonly verdict: 'fine' | 'notice' | 'missing';
}

/**
 * A text is the answer of a node without fault. Other fields than `answer` replace those of the fault that
 * the check finds. Null: the check says nothing about this node.
 */
export type Outcome = string | null | (Pick<Finding, 'answer'> & Partial<Finding>);

export interface Check {
  /** The subject of its finding. */
  readonly name: string;
  /** The only interface of a node that it examines. */
  readonly over?: 'gRPC' | 'JSON-RPC';
  /** An error is a fault too. */
  readonly check: (node: ExaminedNode) => Outcome | Promise<Outcome>;
  /** The consequence of a node without fault; default: the remedy. */
  readonly serves?: string;
  /** The consequence of a fault, and the action against it. */
  readonly remedy: string;
  /** Whether no service works without it. */
  readonly isEssential?: true;
}
