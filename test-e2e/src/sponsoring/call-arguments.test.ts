import { createIotaLedger, type Ledger } from '@forecourt/ledger';
import { Transaction } from '@iota/iota-sdk/transactions';
import { describe, expect, it } from '@jest/globals';
import { buildSponsored, reserved } from '../support/application.js';
import { buildCar } from '../support/ledger-user.js';
import { system } from '../support/systems/grpc-system.js';

const full = (digits: string) => `0x${digits.padStart(64, '0')}`;
const overGrpc = () => system.services('executor')[0]!.options.env['LEDGER_URL']!;

async function read(ledger: Ledger, build: (tx: Transaction) => void) {
  const reservation = await reserved(system.application);
  const { bytes } = await buildSponsored(system.application, reservation, { build });
  return readAll(ledger, bytes);
}

async function readAll(ledger: Ledger, bytes: Uint8Array) {
  const transaction = ledger.decodeTransaction(bytes);
  const argumentsOf = await ledger.readArguments(transaction, () => true);
  return transaction.moveCalls.map((_, index) => argumentsOf(index));
}

describe.each([
  ['gRPC', () => overGrpc()],
  ['JSON-RPC', () => system.ledgerUrl],
])('the arguments of calls, by signatures that a node tells over %s', (_, urlOf) => {
  it('have the types of the function, generic ones with the type arguments', async () => {
    const ledger = createIotaLedger({ urls: [urlOf()] });
    const calls = await read(ledger, (tx) => {
      buildCar(tx, 'Mini', '0xb0b');
      tx.moveCall({
        target: '0x2::coin::zero',
        typeArguments: ['0x2::iota::IOTA'],
      });
      tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object('0x6')] });
    });
    expect([calls[0], calls[2]]).toEqual([
      [
        { kind: 'pure', isLent: false, type: `${full('1')}::string::String`, value: 'Mini' },
        { kind: 'pure', isLent: false, type: 'address', value: full('b0b') },
      ],
      [{ kind: 'object', objectId: full('6'), use: 'shared', type: `${full('2')}::clock::Clock` }],
    ]);
  });

  it('stay unknown for functions, modules and packages that do not exist', async () => {
    const ledger = createIotaLedger({ urls: [urlOf()] });
    const unknown = { kind: 'pure', isLent: true, type: null, value: undefined };
    for (const target of ['0xdec0::garage::nope', '0xdec0::nope::f', '0xbad::m::f']) {
      const read = await readAll(ledger, await bytesOf(target));
      expect([target, read]).toEqual([target, [[unknown]]]);
    }
  });
});

function bytesOf(target: string): Promise<Uint8Array> {
  const tx = new Transaction();
  tx.moveCall({ target, arguments: [tx.pure.u64(5n)] });
  tx.setSender(full('a'));
  tx.setGasPayment([
    { objectId: full('c'), version: 1, digest: '11111111111111111111111111111111' },
  ]);
  tx.setGasPrice(1_000);
  tx.setGasBudget(10_000_000);
  return tx.build();
}
