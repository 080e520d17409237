import { addressOf, moveFunction as fn, u64Of, type MoveModule } from '../move-module.js';
import { DEMO_PACKAGE, TOKEN_TYPE } from './demo-package.js';

/** The demo package's coin, which any account may mint: a second coin type besides gas. */
export const TOKEN_MODULE: MoveModule = {
  packageId: DEMO_PACKAGE,
  name: 'token',
  structs: [{ name: 'TOKEN', abilities: ['Drop'], typeParameters: 0, fields: [] }],
  functions: [
    fn(
      'mint',
      { parameters: ['u64', 'address', '&mut 0x2::tx_context::TxContext'], isEntry: true },
      ({ session, values: [amount, recipient] }) => {
        const coin = session.createCoin(TOKEN_TYPE, u64Of(amount));
        session.changeSupply(TOKEN_TYPE, u64Of(amount));
        session.transfer(coin, { AddressOwner: addressOf(recipient) });
        return [];
      },
    ),
  ],
};
