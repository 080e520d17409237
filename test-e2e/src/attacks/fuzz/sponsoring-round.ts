import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { Answers } from '../soak/answers.js';
import type { Application, Reservation, SignedTransaction } from '../../support/application.js';
import { REFERENCE_GAS_PRICE, signRaw } from '../../support/raw-transaction.js';
import type { Part } from './adversarial-plan.js';
import { programPlans } from './generate-programs.js';
import { exchange, type RawAnswer } from './http-exchange.js';
import { judgeAnswer } from './judge-answer.js';
import { type LedgerWorld, USERS } from './ledger-world.js';
import { ProgramMaker } from './program-maker.js';
import type { RoundHistory } from './round-history.js';

/** Short, because the test waits for unused reservations at the end. */
export const RESERVATION_SECS = 5;
/** Other calls may have finished in this time. */
const REFUSED_MS = 100;

/** One transaction, with its payment and its signature. */
interface Attempt {
  readonly program: readonly Part[];
  /** The transaction's budget in percent of the reserved budget. */
  readonly budgetPercent: number;
  readonly gasPrice: number;
  readonly payment: 'exact' | 'reversed' | 'fewer' | 'more' | 'twice' | 'none';
  readonly gasOwner: 'sponsor' | 'user';
  readonly expirationEpoch: number | undefined;
  readonly signedBy: 'user' | 'other';
  /** How often it is sent. */
  readonly times: number;
}

/** One reservation and all attempts with it. */
export interface Round {
  readonly user: number;
  readonly reserveBudget: number;
  readonly attempts: readonly Attempt[];
  readonly atOnce: boolean;
}

const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof(
    { weight: 14, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(usual, ...others) },
  );

const attempt: fc.Arbitrary<Attempt> = fc.record({
  program: programPlans,
  budgetPercent: mostly(100, 0, 1, 50, 101),
  gasPrice: fc.oneof(
    { weight: 6, arbitrary: fc.constant(REFERENCE_GAS_PRICE) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(0, 1, 999, 1_001, 4_999, 5_001, 50_000, 100_000, 100_001),
    },
  ),
  payment: mostly<Attempt['payment']>('exact', 'reversed', 'fewer', 'more', 'twice', 'none'),
  gasOwner: mostly<Attempt['gasOwner']>('sponsor', 'user'),
  expirationEpoch: mostly<number | undefined>(undefined, 0, 1, 1_000),
  signedBy: mostly<Attempt['signedBy']>('user', 'other'),
  times: mostly(1, 2, 3),
});

export const rounds: fc.Arbitrary<Round> = fc.record({
  user: fc.nat(USERS - 1),
  // Usually more than one coin holds, because smashed coins are easily miscounted.
  reserveBudget: fc.constantFrom(
    1_000_000,
    10_000_000,
    50_000_000,
    150_000_000,
    250_000_000,
    450_000_000,
    950_000_000,
    1_999_999_999,
  ),
  // A reservation can be used again after a refusal.
  attempts: fc.array(attempt, { minLength: 1, maxLength: 4 }),
  atOnce: mostly(false, true),
});

/** The objects that all rounds use. */
export interface RoundParts {
  readonly application: Pick<Application, 'url' | 'token'>;
  readonly world: LedgerWorld;
  readonly answers: Answers;
  readonly history: RoundHistory;
}

/** Reserves and executes as the round says. Throws on an answer that no caller should get. */
export async function playRound(parts: RoundParts, round: Round): Promise<void> {
  const reserve = {
    gas_budget: round.reserveBudget,
    reserve_duration_secs: RESERVATION_SECS,
  };
  const reserved = await send(parts, 'reserve', '/v1/reserve_gas', reserve);
  if (reserved.status !== 200) {
    await delay(REFUSED_MS);
    return;
  }
  const reservation = (JSON.parse(reserved.body) as { result: Reservation }).result;
  const signed = await Promise.all(
    round.attempts.map((attempt) => sign(parts.world, round, reservation, attempt)),
  );
  const sent = signed.flatMap((one, index) =>
    Array<SignedTransaction>(round.attempts[index]!.times).fill(one),
  );
  const execute = ({ tx_bytes, user_sig }: SignedTransaction) => {
    const body = { reservation_id: reservation.reservation_id, tx_bytes, user_sig };
    return send(parts, 'execute', '/v1/execute_tx', body);
  };
  const answers: RawAnswer[] = [];
  if (round.atOnce) {
    answers.push(...(await Promise.all(sent.map(execute))));
  } else {
    for (const one of sent) {
      const isUsed = answers.some(({ status }) => status === 200);
      answers.push(await execute(one));
      // Further attempts are refused like this one.
      if (isUsed && answers.at(-1)!.status !== 200) break;
    }
  }
  parts.history.note(reservation.reservation_id, round, answers);
  const executed = sent.filter((_, index) => answers[index]?.status === 200);
  const digests = new Set(executed.map(({ digest }) => digest));
  if (digests.size > 1) {
    throw new Error(
      `one reservation paid for ${digests.size} transactions: ${[...digests].join()}`,
    );
  }
  const [first] = executed;
  if (!first) return;
  const again = await execute(first);
  const [told, toldAgain] = [answers.find(({ status }) => status === 200)!, again].map(digestIn);
  if (again.status !== 503 && (told !== first.digest || toldAgain !== told)) {
    throw new Error(`${first.digest} was answered with ${told}, and then with ${again.body}`);
  }
}

async function sign(
  world: LedgerWorld,
  round: Round,
  reservation: Reservation,
  attempt: Attempt,
): Promise<SignedTransaction> {
  const user = world.users[round.user]!;
  const coins = reservation.gas_coins;
  const foreign = world.ownedBySponsor().map((ref) => ({ ...ref, version: Number(ref.version) }));
  const payment = {
    exact: () => coins,
    reversed: () => coins.toReversed(),
    fewer: () => coins.slice(1),
    more: () => [...coins, ...foreign.slice(0, 1)],
    twice: () => [...coins, ...coins],
    none: () => [],
  }[attempt.payment]();
  const signed = await signRaw({
    program: new ProgramMaker(world, user, reservation).make(attempt.program),
    user,
    reservation,
    payment,
    gasBudget: Math.floor((round.reserveBudget * attempt.budgetPercent) / 100),
    gasPrice: attempt.gasPrice,
    ...(attempt.gasOwner === 'user' && { gasOwner: user.toIotaAddress() }),
    ...(attempt.expirationEpoch !== undefined && { expirationEpoch: attempt.expirationEpoch }),
  });
  if (attempt.signedBy === 'user') return signed;
  const other = world.users[(round.user + 1) % world.users.length]!;
  return { ...signed, user_sig: (await other.signTransaction(signed.bytes)).signature };
}

async function send(
  { application, answers }: RoundParts,
  what: string,
  path: string,
  body: unknown,
): Promise<RawAnswer> {
  const answer = await exchange(application.url, {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${application.token}`,
      'content-type': 'application/json',
    },
  });
  const { status } = answer;
  answers.note(`${what} ${status}`, status === 200 ? '' : answer.body);
  const wrong = judgeAnswer(answer);
  if (wrong !== null) throw new Error(`${what}: ${wrong}\n${status} ${answer.body.slice(0, 600)}`);
  return answer;
}

function digestIn({ body }: RawAnswer): string | undefined {
  const { effects } = JSON.parse(body) as { effects?: { transactionDigest: string } };
  return effects?.transactionDigest;
}
