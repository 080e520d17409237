import type { ServiceEntry } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { readSecret, requireText } from './read-text.js';
import type { ServiceAnswer, ServiceCall, ServiceConnection } from './service-connection.js';

export const SESSION_PARAMETERS = [
  'auth',
  'auth-mount',
  'token',
  'token-file',
  'role',
  'jwt-file',
  'role-id',
  'secret-id',
  'secret-id-file',
  'namespace',
] as const;

/** Part of a token's life after which it is renewed. */
const RENEWED_AFTER = 2 / 3;
const RENEW_AGAIN_MS = 5_000;
const RENEWAL_TIMEOUT_MS = 5_000;
const DENIED = 403;

interface Token {
  readonly text: string;
  readonly isRenewable: boolean;
  /**
   * On the clock of `performance.now()`; infinite for a token that does not expire, or whose life is unknown.
   */
  readonly renewAt: number;
  readonly endsAt: number;
}

/**
 * A login at Vault. Its token is renewed in good time, and replaced by a new login where it can no longer be.
 */
export class VaultSession {
  #token: Promise<Token> | null = null;
  #renewal: Promise<void> | null = null;
  readonly #namespace: Readonly<Record<string, string>>;

  constructor(
    private readonly connection: ServiceConnection,
    private readonly parameters: ServiceEntry<(typeof SESSION_PARAMETERS)[number]>['parameters'],
  ) {
    const { namespace } = parameters;
    this.#namespace = namespace === undefined ? {} : { 'x-vault-namespace': namespace };
  }

  /**
   * Calls with the session's token, and once more with that of a new login if it is denied. Throws
   * `KeyServiceError`.
   */
  async call(call: ServiceCall, signal: AbortSignal): Promise<ServiceAnswer> {
    const token = await this.token(signal);
    const accept = [...(call.accept ?? []), DENIED];
    const answer = await this.callWith(token, { ...call, accept }, signal);
    if (answer.status !== DENIED) return answer;
    if (token === (await this.#token)) this.#token = null;
    return this.callWith(await this.token(signal), call, signal);
  }

  private callWith(token: Token, call: ServiceCall, signal: AbortSignal): Promise<ServiceAnswer> {
    const headers = { ...this.#namespace, 'x-vault-token': token.text };
    return this.connection.call({ ...call, headers }, signal);
  }

  private async token(signal: AbortSignal): Promise<Token> {
    const token = await this.loggedIn(signal);
    const now = performance.now();
    if (now >= token.endsAt) {
      this.#token = null;
      return this.loggedIn(signal);
    }
    // Requests do not wait for a renewal.
    if (now >= token.renewAt)
      this.#renewal ??= this.renew(token).finally(() => (this.#renewal = null));
    return token;
  }

  private loggedIn(signal: AbortSignal): Promise<Token> {
    this.#token ??= this.logIn(signal).catch((error: unknown) => {
      this.#token = null;
      throw error;
    });
    return this.#token;
  }

  private async renew(token: Token): Promise<void> {
    const signal = AbortSignal.timeout(RENEWAL_TIMEOUT_MS);
    try {
      if (!token.isRenewable) this.#token = Promise.resolve(await this.logIn(signal));
      else {
        const call = { method: 'POST', path: '/v1/auth/token/renew-self', body: {} } as const;
        const { body } = await this.callWith(token, call, signal);
        this.#token = Promise.resolve(readToken(body['auth']));
      }
    } catch {
      // While the token lives, it is used; its renewal is tried again.
      const renewAt = performance.now() + RENEW_AGAIN_MS;
      this.#token = Promise.resolve({ ...token, renewAt, isRenewable: false });
    }
  }

  private async logIn(signal: AbortSignal): Promise<Token> {
    const { parameters, connection } = this;
    const method = parameters.auth ?? 'token';
    if (method === 'token') return this.adopt(signal);
    const body = await this.credentials(method);
    const path = `/v1/auth/${parameters['auth-mount'] ?? method}/login`;
    const call = { method: 'POST', path, body, headers: this.#namespace } as const;
    return readToken((await connection.call(call, signal)).body['auth']);
  }

  private async credentials(method: string): Promise<object> {
    const { parameters } = this;
    if (method === 'kubernetes') {
      const jwt = await readSecret(undefined, parameters['jwt-file'] ?? SERVICE_ACCOUNT_TOKEN);
      return { role: parameters.role, jwt };
    }
    const secretId = await readSecret(parameters['secret-id'], parameters['secret-id-file']);
    return { role_id: parameters['role-id'], ...(secretId !== null && { secret_id: secretId }) };
  }

  /**
   * A token that was made elsewhere: its life is looked up. Where its policy forbids that, it is used as it
   * is.
   */
  private async adopt(signal: AbortSignal): Promise<Token> {
    const text = await readSecret(this.parameters.token, this.parameters['token-file']);
    if (text === null) throw new KeyServiceError('refused', 'there is no token');
    const unlimited = { text, isRenewable: false, renewAt: Infinity, endsAt: Infinity };
    const call = { method: 'GET', path: '/v1/auth/token/lookup-self', accept: [DENIED] } as const;
    const { status, body } = await this.callWith(unlimited, call, signal);
    if (status === DENIED) return unlimited;
    const { ttl, renewable } = (body['data'] ?? {}) as { ttl?: unknown; renewable?: unknown };
    // A file's token is replaced by its owner, so it is read again before it ends.
    return limited(text, Number(ttl), renewable === true);
  }
}

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function readToken(auth: unknown): Token {
  const text = requireText(auth, 'client_token');
  const { lease_duration: seconds, renewable } = auth as Record<string, unknown>;
  return limited(text, Number(seconds), renewable === true);
}

function limited(text: string, seconds: number, isRenewable: boolean): Token {
  const lifeMs = seconds > 0 ? seconds * 1_000 : Infinity;
  const now = performance.now();
  return { text, isRenewable, renewAt: now + lifeMs * RENEWED_AFTER, endsAt: now + lifeMs };
}
