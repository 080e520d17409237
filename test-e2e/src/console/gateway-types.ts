import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '@forecourt/testing/system';
import { type ApiDocument, renderGatewayTypes } from './render-gateway-types.js';

/** The types that the console is compiled with. */
export const GATEWAY_TYPES = join(ROOT, 'apps', 'console', 'src', 'api', 'gateway-types.ts');

/** The types of a running gateway. */
export async function renderTypesOf(url: string): Promise<string> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDocument;
  return renderGatewayTypes(document, GATEWAY_TYPES);
}

export function readTypes(): Promise<string> {
  return readFile(GATEWAY_TYPES, 'utf8');
}
