import { parseHttpHeaders } from './http-headers.js';
import { variable } from './variable.js';

const HTTP = ['http:', 'https:'] as const;
export const httpHeadersKind = 'HTTP headers: JSON object, or a line `Name: value` each';

/** Addresses of the ledger's nodes and options of calls to them, for every service that calls them. */
export const ledgerVariables = {
  ledgerUrls: variable.urls('LEDGER_URL', {
    default: 'http://127.0.0.1:9000',
    protocols: HTTP,
    description:
      'JSON-RPC URL of the node that receives transactions; several, separated by commas, in order of preference: the first that responds is used',
  }),
  ledgerReadUrls: variable.optionalUrls('LEDGER_READ_URL', {
    protocols: HTTP,
    description:
      'JSON-RPC URL of the node that serves reads, if it is another one; several as for `LEDGER_URL`',
  }),
  ledgerHeaders: variable.optionalSecretParsed('LEDGER_HEADERS', {
    kind: httpHeadersKind,
    absent: {},
    parse: parseHttpHeaders,
    description:
      'Headers of every call to the nodes of `LEDGER_URL` and `LEDGER_READ_URL`, such as an API key',
  }),
  ledgerTimeoutMs: variable.integer('LEDGER_TIMEOUT_MS', {
    default: 40_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description:
      'Time limit of one call to a node; a node waits up to 30 s for finality, so less than that leaves outcomes unknown',
  }),
  ledgerStatusMs: variable.integer('LEDGER_STATUS_MAX_AGE_MS', {
    default: 60_000,
    min: 0,
    max: 3_600_000,
    unit: 'ms',
    description:
      'How long epoch and gas price are cached; never beyond the planned end of the epoch',
  }),
};
