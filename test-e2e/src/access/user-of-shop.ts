import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Application } from '../support/application.js';
import { userToken } from '../support/user-token.js';
import { system } from '../support/systems/token-system.js';

/** The application of one user, with a token from the backend of `shop-users`. */
export function userOfShop(user: Ed25519Keypair, lifeSecs = 60): Application {
  const token = userToken('shop-users', user.toIotaAddress(), lifeSecs);
  return { ...system.application, token };
}
