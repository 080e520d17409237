import { describe, expect, it } from '@jest/globals';
import { classifyRefusal } from './classify-refusal.js';

/** Prefixes of input errors: IOTA nodes since 2025, and Sui's text, which IOTA used before. */
const introductions = [
  'Transaction execution failed due to issues with transaction inputs, please review the errors and try again:\n- ',
  'Transaction validator signing failed due to issues with transaction inputs, please review the errors and try again:\n- ',
];
const inputs = introductions[0]!;
const quorum =
  'Failed to sign transaction by a quorum of validators because one or more of its objects is ';

describe('classifyRefusal', () => {
  it.each([
    [-32002, 'Invalid user signature: Signature is not valid: Fail to verify', 'refused'],
    [-32002, 'Required Signature from 0x1 is absent ["0x2"]', 'refused'],
    // The node itself has checked the transaction.
    [-32002, 'Invalid user signature: Transaction Expired', 'refused'],
    [-32002, 'Invalid user signature: Size limit exceeded: 1 of 0', 'refused'],
    [-32002, `${inputs}Gas price 1 under reference gas price (RGP) 1000`, 'refused'],
    [-32002, `${inputs}Gas price cannot exceed 100000 nanos`, 'refused'],
    [-32002, `${inputs}Size limit exceeded: maximum pure argument size is 16384`, 'conflict'],
    [-32002, `${inputs}Feature is not supported: upgrades`, 'conflict'],
    [-32002, `${inputs}Transaction Expired`, 'conflict'],
    [-32002, `${inputs}Gas budget: 9 is higher than max: 5`, 'refused'],
    [-32002, `${inputs}Gas budget: 1 is lower than min: 5`, 'refused'],
    [-32002, `${inputs}Balance of gas object 10 is lower than the needed amount: 100`, 'refused'],
    [
      -32002,
      `${inputs}Mutable object 0x1 cannot appear more than one in one transaction`,
      'refused',
    ],
    [-32002, `${inputs}Address 0x1 is denied for coin 2a::coin::COIN`, 'conflict'],
    [-32002, `${inputs}Coin type is globally paused for use: 2a::coin::COIN`, 'conflict'],
    // The name of a module or a type does not affect the classification.
    [-32002, `${inputs}Address 0x1 is denied for coin 2a::overload::EXPIRED`, 'conflict'],
    [-32002, `${inputs}Some new reason about 2a::timeout::EXPIRED<0x2::expired::T>`, 'conflict'],
    [-32602, 'Invalid params', 'unknown'],
    [-32602, `${inputs}Gas price 1 under reference gas price (RGP) 1000`, 'unknown'],
    [
      -32002,
      `${inputs}Object ID 0x1 Version 0x0 Digest D is not available for consumption, current version: 0xa`,
      'conflict',
    ],
    [-32002, `${inputs}Could not find the referenced object 0x1 at version None`, 'missing'],
    [-32002, `${inputs}Invalid Object digest for object 0x1, expected digest : D`, 'refused'],
    [-32002, 'Transaction was not signed by the correct sender: 0x1', 'refused'],
    [-32002, `${inputs}Shared object's starting version does not match`, 'refused'],
    [-32002, `${inputs}Object used as shared is not shared`, 'refused'],
    [-32701, 'Request is too big', 'refused'],
    [-32002, `${inputs}Wrong initial version given for shared object`, 'refused'],
    [
      -32002,
      `${inputs}Mutable object 0x1 cannot appear more than once in one transaction`,
      'refused',
    ],
    [-32002, `${inputs}Dependent package not found on-chain: 0x1`, 'refused'],
    [
      -32002,
      `${inputs}A move package is expected, instead a move object is passed: 0x1`,
      'refused',
    ],
    [
      -32002,
      `${inputs}A move object is expected, instead a move package is passed: 0x1`,
      'refused',
    ],
    [-32002, `${inputs}Object 0x1 is not a Move object`, 'refused'],
    [-32002, `${inputs}The transaction inputs contain duplicated ObjectRef's`, 'refused'],
    [-32002, `${inputs}The transaction inputs contain duplicated ObjectReference's`, 'refused'],
    [
      -32002,
      `${inputs}TransferObjects, MergeCoin, and Publish cannot have empty arguments. If MakeMoveVec has empty arguments, it must have a type specified`,
      'refused',
    ],
    [
      -32002,
      `${inputs}Commands following a command with Random can only be TransferObjects or MergeCoins`,
      'refused',
    ],
    [-32002, `${inputs}Immutable parameter provided, mutable parameter expected`, 'refused'],
    [-32002, `${inputs}Mutable parameter provided, immutable parameter expected`, 'refused'],
    [-32002, `${inputs}Object 0x1 is frozen`, 'refused'],
    [
      -32002,
      `${inputs}Object 0x1 is owned by object 0x2. Objects owned by other objects cannot be used as input arguments`,
      'refused',
    ],
    [
      -32002,
      `${inputs}Object 0x7 is a system object and cannot be accessed by user transactions`,
      'refused',
    ],
    [-32002, `${inputs}1 max publish/upgrade commands allowed, 2 provided`, 'refused'],
    [-32002, `${inputs}Invalid identifier found in the transaction: bad name`, 'refused'],
    [-32002, `${inputs}Package verification failed: Verification timed out`, 'refused'],
    [
      -32002,
      `${inputs}Package verification failed: Verification timed out\n- Object ID 0x1 is not available for consumption`,
      'conflict',
    ],
    [
      -32002,
      `${inputs}Dependent package not found on-chain: 0x1\n- Could not find the referenced object 0x2 at version None`,
      'missing',
    ],
    [-32050, `${inputs}Dependent package not found on-chain: 0x1`, 'unknown'],
    [
      -32002,
      `${quorum}reserved for another transaction. Other transactions locking these objects: D`,
      'conflict',
    ],
    [
      -32002,
      `${quorum}equivocated until the next epoch. Other transactions locking these objects: D`,
      'conflict',
    ],
    [
      -32603,
      `Failed to sign transaction by a quorum of validators because of locked objects`,
      'conflict',
    ],
    [-32002, 'A text that no version had before', 'conflict'],
    [
      -32002,
      `${inputs}Gas price 1 under reference gas price (RGP) 5\n- Object ID 0x1 is not available for consumption`,
      'conflict',
    ],
    [
      -32002,
      'The transaction is already finalized but with different user signatures',
      'finalized',
    ],
    [-32050, 'Transaction timed out before reaching finality', 'unknown'],
    [
      -32050,
      'Transaction failed to reach finality with transient error after 10 attempts.',
      'unknown',
    ],
    [-32603, 'Internal error occurred while executing transaction.', 'unknown'],
    // Nodes also send these after validators have executed the transaction.
    [-32603, 'Deadline expired before operation could complete', 'unknown'],
    [-32603, 'certificate: Expired', 'unknown'],
    [-32603, 'Indexer failed: Invalid user signature: Transaction Expired', 'unknown'],
    [-32603, 'size limit exceeded', 'unknown'],
    [-32603, 'feature is not supported', 'unknown'],
    [-32000, 'anything', 'unknown'],
  ])('classifies %d %s as %s', (code, message, kind) => {
    for (const introduction of introductions) {
      const text = message.replace(inputs, introduction);
      expect(classifyRefusal({ code, message: text })).toEqual({ kind, message: text });
    }
  });
});

describe('an indexer that answers every error of a write with -32603', () => {
  const indexer = (text: string) =>
    `Indexer failed to execute transaction: ErrorObject { code: ServerError(-32002), message: "${text}", data: None }`;

  it.each([
    // An error after the submission may have the same code.
    [`${inputs}Gas price 1 under reference gas price (RGP) 1000`, 'conflict'],
    [`${inputs}Object ID 0x1 Version 0x0 Digest D is not available for consumption`, 'conflict'],
    [`${inputs}Could not find the referenced object 0x1 at version None`, 'missing'],
    ['Transaction timed out before reaching finality', 'unknown'],
    ['A text that no version had before', 'unknown'],
  ])('reports %s as %s', (text, kind) => {
    const message = indexer(text);
    expect(classifyRefusal({ code: -32603, message })).toEqual({ kind, message });
  });
});

describe('error data of nodes without certificates', () => {
  const stale = `${inputs}Object ID 0x1 Version 0x0 Digest D is not available for consumption`;
  const cheap = `${inputs}Gas price 1 under reference gas price (RGP) 1000`;
  const absent = `${inputs}Could not find the referenced object 0x1 at version None`;
  const conflict = [['D', [['0x1', 1, 'E']]]];

  it.each([
    [
      'a rejection by validators, who may still execute the transaction,',
      'REJECTED_BY_VALIDATORS',
      cheap,
      'conflict',
    ],
    ['a rejection over an object, which is a conflict,', 'RejectedByValidators', stale, 'conflict'],
    ['an object that validators do not know yet', 'REJECTED_BY_VALIDATORS', absent, 'missing'],
    ['a transaction that the node itself proved invalid', 'INVALID_TRANSACTION', stale, 'refused'],
    ['an invalid signature', 'INVALID_USER_SIGNATURE', stale, 'refused'],
    ['a reason that does not name the refusing party', 'NON_RECOVERABLE', cheap, 'refused'],
    ['such a reason with the text of a conflict', 'NON_RECOVERABLE', stale, 'conflict'],
  ])('decides about %s', (_what, reason, message, kind) => {
    expect(classifyRefusal({ code: -32002, message, data: { reason } }).kind).toBe(kind);
  });

  it.each([
    ['the digests of a conflict', Object.fromEntries(conflict)],
    ['nothing', null],
    ['a text', 'reason'],
  ])('leaves the decision to the text when it is %s without a reason', (_what, data) => {
    expect(classifyRefusal({ code: -32002, message: cheap, data }).kind).toBe('refused');
    expect(classifyRefusal({ code: -32002, message: stale, data }).kind).toBe('conflict');
  });
});
