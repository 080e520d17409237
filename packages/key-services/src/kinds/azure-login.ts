import type { ServiceEntry } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { readSecret, requireText } from './read-text.js';
import { ServiceConnection } from './service-connection.js';

export const LOGIN_PARAMETERS = [
  'tenant',
  'client-id',
  'client-secret-file',
  'assertion-file',
  'authority',
  'identity-endpoint',
] as const;

const USUAL_AUTHORITY = 'https://login.microsoftonline.com';
const USUAL_IDENTITY_ENDPOINT = 'http://169.254.169.254';
/** The service in the host of a vault or managed HSM: each national cloud has its own. */
const RESOURCE = /\.((?:vault|managedhsm)\.[a-z0-9.-]+)/;
const USUAL_RESOURCE = 'vault.azure.net';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** A token is replaced this long before it ends. */
const EARLY_MS = 300_000;

/**
 * Access tokens for a vault: of an application with a secret or the assertion of a workload identity,
 * otherwise of the machine's managed identity.
 */
export class AzureLogin {
  readonly #connection: ServiceConnection;
  readonly #resource: string;
  #token: Promise<{ readonly text: string; readonly replaceAt: number }> | null = null;

  constructor(
    host: string,
    private readonly parameters: ServiceEntry<(typeof LOGIN_PARAMETERS)[number]>['parameters'],
  ) {
    this.#resource = `https://${RESOURCE.exec(host)?.[1] ?? USUAL_RESOURCE}`;
    const { authority = USUAL_AUTHORITY, tenant } = parameters;
    const endpoint = parameters['identity-endpoint'] ?? USUAL_IDENTITY_ENDPOINT;
    this.#connection = new ServiceConnection(tenant === undefined ? endpoint : authority);
  }

  /** Throws `KeyServiceError`. */
  async token(signal: AbortSignal): Promise<string> {
    const held = await this.#token;
    if (held && performance.now() >= held.replaceAt) this.#token = null;
    this.#token ??= this.logIn(signal).catch((error: unknown) => {
      this.#token = null;
      throw error;
    });
    return (await this.#token).text;
  }

  private async logIn(signal: AbortSignal) {
    const { tenant } = this.parameters;
    const { body } = await (tenant === undefined
      ? this.askMachine(signal)
      : this.askAuthority(tenant, signal));
    const lifeMs = Number(body['expires_in'] ?? 0) * 1_000;
    const early = Math.min(EARLY_MS, lifeMs / 3);
    return {
      text: requireText(body, 'access_token'),
      replaceAt: performance.now() + lifeMs - early,
    };
  }

  private askMachine(signal: AbortSignal) {
    const query = new URLSearchParams({ 'api-version': '2018-02-01', resource: this.#resource });
    const client = this.parameters['client-id'];
    if (client !== undefined) query.set('client_id', client);
    const path = `/metadata/identity/oauth2/token?${query.toString()}`;
    return this.#connection.call({ method: 'GET', path, headers: { metadata: 'true' } }, signal);
  }

  private async askAuthority(tenant: string, signal: AbortSignal) {
    const { parameters } = this;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: parameters['client-id'] ?? '',
      scope: `${this.#resource}/.default`,
    });
    const secret = await readSecret(undefined, parameters['client-secret-file']);
    const assertion = await readSecret(undefined, parameters['assertion-file']);
    if (secret !== null) body.set('client_secret', secret);
    else if (assertion !== null) {
      body.set('client_assertion_type', ASSERTION_TYPE);
      body.set('client_assertion', assertion);
    } else throw new KeyServiceError('refused', 'neither client-secret-file nor assertion-file');
    const path = `/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
    return this.#connection.call({ method: 'POST', path, body }, signal);
  }
}
