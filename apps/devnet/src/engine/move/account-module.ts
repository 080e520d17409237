import { declareStruct, moveFunction as fn, u64Of, type MoveModule } from '../move-module.js';
import type { StructLayout } from '../move-value.js';
import { DEMO_PACKAGE } from './token-module.js';

export const ACCOUNT_TYPE = `${DEMO_PACKAGE}::account::Account`;

const ACCOUNT: StructLayout = {
  name: 'Account',
  abilities: ['Key'],
  fields: [['password', 'u64']],
};

/**
 * The demo package's abstract accounts: their transactions are authorised by an authenticator whose only
 * argument is the password.
 */
export const ACCOUNT_MODULE: MoveModule = {
  packageId: DEMO_PACKAGE,
  name: 'account',
  types: [declareStruct(ACCOUNT)],
  functions: [
    fn(
      'create',
      { parameters: ['u64', '&mut 0x2::tx_context::TxContext'], isEntry: true },
      ({ session, values: [password] }) => {
        const account = session.create(ACCOUNT_TYPE, ACCOUNT, { password: u64Of(password) });
        session.transfer(account, 'Immutable');
        return [];
      },
    ),
  ],
};
