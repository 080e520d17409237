import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import type { Check, Finding } from './check.js';
import { checkOfSponsor, CHECKS } from './checks.js';
import { ExaminedNode, NO_METHOD, type NodeAddress } from './examined-node.js';

/**
 * Sends about a hundred requests to a node, and yields the meaning of each answer for this service.
 * They change nothing: over gRPC, one submits a transaction that no ledger executes. `sponsors`:
 * addresses whose balances are read.
 */
export async function* examineNode(
  address: NodeAddress,
  sponsors: readonly string[],
): AsyncIterable<Finding> {
  const owners = sponsors.map((sponsor) => normalizeIotaAddress(sponsor));
  const node = new ExaminedNode(address, owners);
  const dialect = node.isGrpc ? 'gRPC' : 'JSON-RPC';
  try {
    for (const check of [...CHECKS, ...owners.map(checkOfSponsor)]) {
      if (check.over !== undefined && check.over !== dialect) continue;
      const finding = await carryOut(check, node);
      if (finding !== null) yield finding;
      if (finding?.subject === 'node') return;
    }
  } finally {
    await node.close();
  }
}

async function carryOut(check: Check, node: ExaminedNode): Promise<Finding | null> {
  const { name: subject, remedy, serves = remedy, isEssential } = check;
  const verdict = isEssential ? 'missing' : 'notice';
  try {
    const outcome = await check.check(node);
    if (outcome === null) return null;
    return typeof outcome === 'string'
      ? { subject, answer: outcome, consequence: serves, verdict: 'fine' }
      : { subject, consequence: remedy, verdict, ...outcome };
  } catch (error) {
    const [answer, advice] = explain(error, node);
    return { subject, answer, consequence: `${remedy}. ${advice}`, verdict };
  }
}

const UNKNOWN_FIELD = /invalid read_mask path: ([\w.]+)/;
const UPGRADE = 'upgrade the older of the two, or use another node';

function explain(error: unknown, { isGrpc }: ExaminedNode): [answer: string, advice: string] {
  const text = error instanceof Error ? error.message : String(error);
  const field = UNKNOWN_FIELD.exec(text)?.[1];
  if (field !== undefined) {
    return [
      `unknown field ${field}`,
      `The node is of a version that this release does not fit: ${UPGRADE}`,
    ];
  }
  if (error instanceof NodeRefusal && error.code === NO_METHOD) {
    const otherwise = isGrpc ? ', or the same node over JSON-RPC' : '';
    return ['not served', `Use a node that serves it${otherwise}`];
  }
  if (error instanceof NodeFailure && error.isInvalid) {
    return [
      `the answer cannot be used: ${text}`,
      `The services do not believe it, since node and release do not fit: ${UPGRADE}`,
    ];
  }
  return [text, 'Compare with the node’s log, or use another node'];
}
