import { Transaction } from '@iota/iota-sdk/transactions';

const DIGEST = '9knpRtwCc9LK1BCJ222KZwgr9ZVHDyZhiLUTPt82FtmV';

/**
 * Bytes of a typical sponsored transaction: one Move call with arguments, a transfer of its result,
 * one gas coin.
 */
export async function sampleTransaction(): Promise<Uint8Array> {
  const tx = new Transaction();
  tx.setSender('0xa11ce');
  tx.setGasOwner('0x5905');
  tx.setGasPayment([{ objectId: '0x7', version: 3, digest: DIGEST }]);
  tx.setGasBudget(5_000_000);
  tx.setGasPrice(1_000);
  const car = tx.moveCall({
    target: '0xdec0::garage::build_car',
    arguments: [tx.pure.string('Mini'), tx.pure.u64(200)],
  });
  tx.transferObjects([car], '0xb0b');
  return tx.build();
}
