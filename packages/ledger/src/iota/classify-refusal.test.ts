import { describe, expect, it } from '@jest/globals';
import { classifyRefusal } from './classify-refusal.js';

const inputs =
  'Transaction validator signing failed due to issues with transaction inputs, please review the errors and try again:\n- ';
const quorum =
  'Failed to sign transaction by a quorum of validators because one or more of its objects is ';

describe('sorting what a node refuses', () => {
  it.each([
    [-32002, 'Invalid user signature: Signature is not valid: Fail to verify', 'refused'],
    [-32002, 'Required Signature from 0x1 is absent ["0x2"]', 'refused'],
    [-32002, `${inputs}Gas price 1 under reference gas price (RGP) 1000`, 'refused'],
    [-32002, `${inputs}Gas price cannot exceed 100000 nanos`, 'refused'],
    [-32002, `${inputs}Size limit exceeded: maximum pure argument size is 16384`, 'refused'],
    [-32002, `${inputs}Feature is not supported: upgrades`, 'refused'],
    [-32002, `${inputs}Gas budget: 9 is higher than max: 5`, 'refused'],
    [-32002, `${inputs}Gas budget: 1 is lower than min: 5`, 'refused'],
    [-32002, `${inputs}Balance of gas object 10 is lower than the needed amount: 100`, 'refused'],
    [
      -32002,
      `${inputs}Mutable object 0x1 cannot appear more than one in one transaction`,
      'refused',
    ],
    [-32602, 'Invalid params', 'refused'],
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
    [-32000, 'anything', 'unknown'],
  ])('%d %s: %s', (code, message, kind) => {
    expect(classifyRefusal(code, message)).toEqual({ kind, message });
  });
});
