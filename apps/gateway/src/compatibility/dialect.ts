import type { ReserveGasResponse } from '@forecourt/contracts';

/**
 * How `version` of reserved coins is written: clients of public gas stations read one of the two. Those that
 * read text also look for the object's id under another name.
 */
export const coinVersionForms = ['integer', 'string'] as const;

/** The form in which an answer is to be written. */
export interface AnswerForm {
  /** Whether the request has `options`. */
  readonly hasOptions: boolean;
  readonly coinVersions: (typeof coinVersionForms)[number];
}

type Result = ReserveGasResponse['result'];

interface Executed {
  readonly effects: { readonly transactionDigest: string };
  readonly events?: unknown;
  readonly object_changes?: unknown;
  readonly balance_changes?: unknown;
  readonly input?: unknown;
}

/** An answer's body in the dialect of public gas stations, and its content type. */
export interface DialectAnswer {
  readonly body: string;
  readonly contentType: string;
}

const TEXTS: ReadonlySet<string> = new Set(['/', '/version', '/debug_health_check']);
const RESERVE = '/v1/reserve_gas';
const EXECUTE = '/v1/execute_tx';

/**
 * Rewrites the JSON of an answer at `path` into the dialect of today's public gas stations: texts without
 * quotes; answers of reserve and execute with both of their fields, one of which is null; versions of coins
 * as text if so configured; and what `options` ask for as `tx_block_response`, in the form of a transaction
 * block of the ledger's API. Null: the answer is the same in both.
 */
export function toDialect(path: string, text: string, form: AnswerForm): DialectAnswer | null {
  if (!TEXTS.has(path) && path !== RESERVE && path !== EXECUTE) return null;
  const answer = JSON.parse(text) as unknown;
  if (typeof answer === 'string') return { body: answer, contentType: 'text/plain; charset=utf-8' };
  const rewritten = rewrite(path, answer as Readonly<Record<string, unknown>>, form);
  if (rewritten === null) return null;
  return { body: JSON.stringify(rewritten), contentType: 'application/json; charset=utf-8' };
}

function rewrite(path: string, answer: Readonly<Record<string, unknown>>, form: AnswerForm) {
  const isError = typeof answer['error'] === 'string';
  if (path === RESERVE) {
    if (isError) return { result: null, error: answer['error'] };
    const { result } = answer as unknown as ReserveGasResponse;
    return { result: form.coinVersions === 'string' ? withTexts(result) : result, error: null };
  }
  if (path !== EXECUTE) return null;
  if (isError) return { effects: null, error: answer['error'] };
  const { effects, ...parts } = answer as unknown as Executed;
  if (!form.hasOptions) return { effects, error: null };
  return { effects, tx_block_response: blockOf(effects, parts), error: null };
}

function withTexts({ gas_coins: coins, ...rest }: Result) {
  const inTexts = coins.map((coin) => ({
    ...coin,
    object_id: coin.objectId,
    version: String(coin.version),
  }));
  return { ...rest, gas_coins: inTexts };
}

function blockOf(effects: Executed['effects'], parts: Omit<Executed, 'effects'>) {
  const { events, object_changes, balance_changes, input } = parts;
  return {
    digest: effects.transactionDigest,
    effects,
    ...(input !== undefined && { transaction: input }),
    ...(events !== undefined && { events }),
    ...(object_changes !== undefined && { objectChanges: object_changes }),
    ...(balance_changes !== undefined && { balanceChanges: balance_changes }),
  };
}
