import { fullId } from '../hash.js';
import {
  addressOf,
  declareStruct,
  moveFunction as fn,
  u64Of,
  type MoveModule,
} from '../move-module.js';

/** Id of the demo package. */
export const DEMO_PACKAGE = fullId('0xdec0');
export const CAR_TYPE = `${DEMO_PACKAGE}::garage::Car`;
export const COUNTER_TYPE = `${DEMO_PACKAGE}::garage::Counter`;
const TOKEN_TYPE = `${DEMO_PACKAGE}::token::TOKEN`;

/** The demo package's coin, which any account may mint: a second coin type besides gas. */
export const TOKEN_MODULE: MoveModule = {
  packageId: DEMO_PACKAGE,
  name: 'token',
  types: [declareStruct({ name: 'TOKEN', abilities: ['Drop'], fields: [] })],
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
