import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { type Application, call } from '../support/application.js';
import { system } from '../support/systems/history-system.js';
import { applicationOf } from '../support/tokens-file.js';
import { userToken } from '../support/user-token.js';

/** The keys of two users of the token `users`. */
export const users = { alice: new Ed25519Keypair(), bob: new Ed25519Keypair() };

/** The applications of all callers; each at the first gateway, or at another one. */
export function callerOf(name: string, application = system.application): Application {
  if (name === 'alice' || name === 'bob') {
    return { ...application, token: userToken('users', users[name].toIotaAddress()) };
  }
  return name === 'default' ? application : applicationOf(name, application);
}

/** Of one record; other fields as they arrived. */
export interface Listed {
  readonly reservation_id: number;
  readonly token: string;
  readonly user: string | null;
  readonly status: string;
  readonly outcome: string | null;
  readonly digest: string | null;
  readonly gas: { readonly net: string } | null;
}

export interface ListedPage {
  readonly data: readonly Listed[];
  readonly next_cursor: string | null;
}

/** The result of a route. Throws with the answer if it is not a success. */
export async function read<T>(application: Application, path: string): Promise<T> {
  const { status, body } = await call(application, 'GET', path);
  if (status !== 200) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`);
  return body.result as unknown as T;
}

/** All records of a list, page by page. */
export async function readAll(
  application: Application,
  path: string,
  onPage: () => Promise<unknown> = async () => undefined,
): Promise<Listed[]> {
  const found: Listed[] = [];
  const begin = path.includes('?') ? `${path}&` : `${path}?`;
  let cursor = '';
  for (;;) {
    const page = await read<ListedPage>(application, `${begin}limit=3${cursor}`);
    found.push(...page.data);
    if (page.next_cursor === null) return found;
    cursor = `&cursor=${page.next_cursor}`;
    await onPage();
  }
}
