import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@forecourt/testing/system';
import {
  type ApiDocument,
  renderClientTypes,
  renderGatewayTypes,
  renderLedgerTypes,
} from './render-api-types.js';

const CONSOLE_TYPES = join(ROOT, 'apps', 'console', 'src', 'api', 'gateway-types.ts');
const CLIENT = join(ROOT, 'packages', 'client', 'src', 'gas-station');
const CLIENT_TYPES = join(CLIENT, 'gateway-results.ts');
const EFFECTS_TYPES = join(CLIENT, 'transaction-effects.ts');
/** The results that the client package gives to applications as they are: schema → name of its type. */
const CLIENT_NAMES = {
  ReservedCoins: 'Reservation',
  WholeSponsorship: 'Sponsorship',
  UsageSummary: 'UsageReport',
  FiguresByKey: 'UsageRow',
  Figures: 'UsageFigures',
};

/** The generated files with the types of a running gateway: path → text. */
export async function renderTypesOf(url: string): Promise<ReadonlyMap<string, string>> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument;
  return new Map([
    [CONSOLE_TYPES, await renderGatewayTypes(document, CONSOLE_TYPES)],
    [CLIENT_TYPES, await renderClientTypes(document, CLIENT_NAMES, CLIENT_TYPES)],
    [EFFECTS_TYPES, await renderLedgerTypes(document, 'TransactionEffects', EFFECTS_TYPES)],
  ]);
}

/** The same files as they are. */
export async function readTypes(): Promise<ReadonlyMap<string, string>> {
  const read = [CONSOLE_TYPES, CLIENT_TYPES, EFFECTS_TYPES].map(
    async (file) => [file, await readFile(file, 'utf8')] as const,
  );
  return new Map(await Promise.all(read));
}
