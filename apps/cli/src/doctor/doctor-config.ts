import {
  type Environment,
  ledgerVariables,
  parseHttpHeaders,
  readConfig,
} from '@forecourt/runtime/config';
import { readOptions } from '../terminal/read-options.js';

const HELP = `npm run doctor

Asks each ledger node about a hundred read-only questions and prints what every answer means for this service.

  --url <url>           node, may be given several times; default: those of LEDGER_URL and LEDGER_READ_URL
  --headers <headers>   JSON object, or lines of "Name: value"; default: LEDGER_HEADERS
  --sponsor <address>   also looks at this sponsor's balance, may be given several times
  --json                prints one JSON object for each finding

Exit code 0: every node has what is essential; 1: something essential is missing; 2: the command failed.`;

export interface DoctorConfig {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly sponsors: readonly string[];
  readonly json: boolean;
}

/**
 * Reads arguments and environment; null: the help was wanted, and is printed. Throws `ConfigError`, and `Error` for an unknown
 * argument and for `--headers` that cannot be read.
 */
export function readDoctorConfig(environment: Environment = process.env): DoctorConfig | null {
  const options = readOptions(HELP, {
    url: { type: 'string', multiple: true },
    headers: { type: 'string' },
    sponsor: { type: 'string', multiple: true, default: [] },
    json: { type: 'boolean', default: false },
  });
  if (options === null) return null;
  const { values } = options;
  const { ledgerUrls, ledgerReadUrls, ledgerHeaders } = readConfig(ledgerVariables, environment);
  return {
    urls: values.url ?? [...new Set([...ledgerUrls, ...ledgerReadUrls])],
    headers: values.headers === undefined ? ledgerHeaders : parseHttpHeaders(values.headers),
    sponsors: values.sponsor,
    json: values.json,
  };
}
