import type { Submission } from '../../ledger.js';

type Refusal = Exclude<Submission, { kind: 'executed' }>;
type Kind = Refusal['kind'] | 'finalized';

/** JSON-RPC code of an error that the client can correct. */
const CLIENT_ERROR = -32002;
/** The node read only the length of the request. */
const TOO_BIG = -32701;
const INTERNAL_ERROR = -32603;

const REJECTED = /^rejected/i;
const INVALID = /^(invalid|validation|field_(invalid|missing)$)/i;

/** A JSON-RPC error. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Meaning of a node's error for the coins. Texts change between versions, so parts are matched, in
 * this order; the first match decides. Conflicts come first: a text may name several errors, and
 * one conflict makes the coin uncertain.
 */
const TEXTS: readonly (readonly [RegExp, Kind])[] = [
  // The issuer of a regulated coin changes its deny list at any time: some validators may have
  // locked the gas coins.
  [/is denied for coin|globally paused for use/i, 'conflict'],
  [/already finalized but with different user signatures/i, 'finalized'],
  [/reserved for another transaction|equivocated|because of locked objects/i, 'conflict'],
  [/not available for consumption/i, 'conflict'],
  [/could not find the referenced object/i, 'missing'],
  // Permanent, although its reason may be a time-out.
  [/package verification failed/i, 'refused'],
  [/timed? ?out|transient error|overload|too many|try again later/i, 'unknown'],
  [/invalid user signature|required signature|signature is not valid/i, 'refused'],
  [/gas price .* under reference gas price/i, 'refused'],
  // Faults of the transaction alone under the protocol's limits: every validator refuses it before
  // it locks an object.
  [/gas price cannot exceed/i, 'refused'],
  [/size limit exceeded/i, 'refused'],
  [/feature is not supported/i, 'refused'],
  [/gas budget.* (higher|lower) than (max|min)/i, 'refused'],
  [/balance of gas object .* is lower than/i, 'refused'],
  [/cannot appear more than onc?e/i, 'refused'],
  [/expired|transaction expiration/i, 'refused'],
  // Every validator checks these before it locks an object.
  [/invalid object digest/i, 'refused'],
  [/not signed by the correct sender/i, 'refused'],
  // An object is shared from its creation or never, and its initial version does not change.
  [/starting version does not match|wrong initial version given for shared object/i, 'refused'],
  [/used as shared is not shared/i, 'refused'],
  // The kind of an object does not change either: package, immutable, child, system object.
  [/a move (package|object) is expected|is not a move object/i, 'refused'],
  [/mutable parameter provided|is frozen/i, 'refused'],
  [/objects owned by other objects cannot be used/i, 'refused'],
  [/is a system object and cannot be accessed/i, 'refused'],
  [/dependent package not found/i, 'refused'],
  // Faults in the transaction's own bytes.
  [/duplicated objectref|cannot have empty arguments/i, 'refused'],
  [/commands following a command with random/i, 'refused'],
  [/max publish\/upgrade commands allowed/i, 'refused'],
  [/invalid identifier found in the transaction/i, 'refused'],
];

/**
 * Texts that a node also sends for a certificate, when validators may have executed the
 * transaction in the epoch before.
 */
const ALSO_AFTER_SUBMISSION = /expired|size limit exceeded|feature is not supported/i;
/** The node itself checks the transaction, before it submits it. */
const BEFORE_SUBMISSION = /^invalid user signature/i;

/** Modules and types in a node's text: their authors choose the names, such as `0x2a::timeout::EXPIRED`. */
const CHOSEN_NAMES = /(?:::\w+)+/g;

/** Meaning of a node's text, independent of its code; null: an unknown text. */
export function kindOfText(message: string): Kind | null {
  const own = message.replace(CHOSEN_NAMES, '');
  return TEXTS.find(([text]) => text.test(own))?.[1] ?? null;
}

/**
 * Classifies a node's JSON-RPC error. A refusal is certain only with a code or a reason that nodes
 * never send after a submission. A client error with an unknown text counts as a conflict: the coin
 * is then quarantined instead of being given to another transaction.
 */
export function classifyRefusal(error: NodeError): { kind: Kind; message: string } {
  return { kind: kindOf(error), message: error.message };
}

/**
 * Whether the error proves a refusal if the whole submission was made in one epoch: its validators judge a
 * transaction and its certificate alike.
 */
export function isRefusedWithinEpoch({ code, message, data }: NodeError): boolean {
  if (code !== CLIENT_ERROR || kindOfReason(readReason(data), message) !== null) return false;
  const said = kindOfText(message);
  return said !== null && isAlsoAfter(said, message);
}

function kindOf({ code, message, data }: NodeError): Kind {
  if (code === TOO_BIG) return 'refused';
  const kind = kindOfReason(readReason(data), message);
  if (kind !== null) return kind;
  const said = kindOfText(message);
  if (code === CLIENT_ERROR) return said === null || isAlsoAfter(said, message) ? 'conflict' : said;
  // An indexer wraps every error in this code, with the node's text inside; others send the code
  // after the submission. The transaction may have been executed in spite of the text.
  if (code === INTERNAL_ERROR) {
    if (said === null || isAlsoAfter(said, message)) return 'unknown';
    return said === 'refused' ? 'conflict' : said;
  }
  return 'unknown';
}

function isAlsoAfter(kind: Kind, message: string): boolean {
  if (kind !== 'refused' || BEFORE_SUBMISSION.test(message)) return false;
  return ALSO_AFTER_SUBMISSION.test(message.replace(CHOSEN_NAMES, ''));
}

/**
 * Newer nodes state in `data.reason` who refused; other data, such as the digests of a conflict,
 * has no reason.
 */
function readReason(data: unknown): string {
  if (data === null || typeof data !== 'object' || !('reason' in data)) return '';
  return typeof data.reason === 'string' ? data.reason : '';
}

/**
 * A transaction that the node itself found invalid never reached a validator. A rejection by validators does
 * not exclude an execution: other validators may have accepted it. Null: the reason does not decide.
 */
function kindOfReason(reason: string, message: string): Kind | null {
  if (REJECTED.test(reason)) {
    const kind = kindOfText(message);
    return kind === 'missing' || kind === 'finalized' ? kind : 'conflict';
  }
  return INVALID.test(reason) ? 'refused' : null;
}
