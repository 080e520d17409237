import { aCoin } from '../../pool.test-support.js';
import {
  begin,
  defer,
  exclude,
  giveUp,
  quarantine,
  refuse,
  releaseOrphaned,
  settle,
} from './executing.test-support.js';
import type { PoolBooks } from './pool-books.test-support.js';
import { claim, expire, passDeadline, release, reserve } from './reserving.test-support.js';
import {
  abort,
  adopt,
  finish,
  landUnseen,
  loseUnseen,
  renew,
  setAside,
} from './resting.test-support.js';
import { withdraw, withdrawAmount } from './withdrawing.test-support.js';

export const operations = [
  'reserve',
  'reserve',
  'claim',
  'claim',
  'begin',
  'begin',
  'settle',
  'settle',
  'giveUp',
  'refuse',
  'defer',
  'quarantine',
  'exclude',
  'release claim',
  'release claim',
  'release',
  'expire',
  'passDeadline',
  'passDeadline',
  'setAside',
  'landUnseen',
  'landUnseen',
  'loseUnseen',
  'finish',
  'abort',
  'adopt',
  'renew',
  'withdraw',
  'withdraw amount',
] as const;
export type Operation = (typeof operations)[number];

/**
 * Runs the operations of services on a pool, in any order, and predicts each result and the place of every
 * coin from its own model. Most choices fit the operation; the others are invalid ones.
 */
export async function runOperation(
  books: PoolBooks,
  operation: Operation,
  pick: number,
  variant: number,
): Promise<void> {
  switch (operation) {
    case 'reserve':
      return reserve(books, pick, variant);
    case 'claim':
      return claim(books, books.pickOf(pick, 'reserved'), pick, variant);
    case 'begin':
      return begin(books, books.pickOf(pick, 'claimed'), pick);
    case 'settle':
      return settle(books, books.pickOf(pick, 'executing', 'quarantined'), pick, variant);
    case 'giveUp':
      return giveUp(books, books.pickOf(pick, 'quarantined'), variant);
    case 'refuse':
      return refuse(books, books.pickOf(pick, 'executing'), pick);
    case 'defer':
      return defer(books, books.pickOf(pick, 'executing'), pick, variant);
    case 'quarantine':
      return quarantine(books, books.pickOf(pick, 'executing', 'quarantined'), pick, variant);
    case 'exclude':
      return exclude(books, books.pickOf(pick, 'quarantined'), pick);
    case 'release claim':
      return releaseOrphaned(books, books.pickOf(pick, 'claimed'), pick);
    case 'release':
      return release(books, books.pickOf(pick, 'reserved'), pick);
    case 'expire':
      return expire(books, 1 + (variant % 3));
    case 'passDeadline':
      return passDeadline(
        books,
        variant % 4 ? books.pickOf(pick, 'claimed', 'executing') : books.pickOf(pick, 'reserved'),
      );
    case 'setAside':
      return setAside(books, variant);
    case 'landUnseen':
      return landUnseen(books, pick);
    case 'loseUnseen':
      return loseUnseen(books, pick);
    case 'finish':
      return finish(books, pick, variant);
    case 'abort':
      return abort(books, pick);
    case 'adopt':
      return adopt(books, [aCoin(books.balanceOf(variant)), ...books.anyKnown(pick)]);
    case 'withdraw':
      return withdraw(books, variant);
    case 'withdraw amount':
      return withdrawAmount(books, pick, variant);
    default:
      return renew(books, pick, variant);
  }
}
