/** How services use devnet. */
export const dialects = ['json-rpc', 'grpc'] as const;
export type Dialect = (typeof dialects)[number];

/** From `FORECOURT_TEST_LEDGER`: over JSON-RPC unless it says `grpc`. */
export function chooseDialect(environment: NodeJS.ProcessEnv = process.env): Dialect {
  const { FORECOURT_TEST_LEDGER: text = 'json-rpc' } = environment;
  const dialect = dialects.find((one) => one === text);
  if (dialect) return dialect;
  throw new Error(`FORECOURT_TEST_LEDGER must be json-rpc or grpc, not ${text}`);
}

/**
 * Where past events come from in tests of events, from `FORECOURT_TEST_EVENTS`: the nodes unless it says
 * `index`.
 */
export function chooseEvents(environment: NodeJS.ProcessEnv = process.env): 'nodes' | 'index' {
  const { FORECOURT_TEST_EVENTS: text = 'nodes' } = environment;
  if (text === 'nodes' || text === 'index') return text;
  throw new Error(`FORECOURT_TEST_EVENTS must be nodes or index, not ${text}`);
}
