import { Transaction } from '@iota/iota-sdk/transactions';
import { fromBase58, fromHex } from '@iota/iota-sdk/utils';

/** An object as the ledger's JSON and the service's answers name it. */
export interface Reference {
  readonly objectId: string;
  readonly version: number | string;
  readonly digest: string;
}

/** Ids of no real object, so that their bytes occur once in a transaction. */
const PLACE_OF_COIN = 'c0'.repeat(32);
const PLACE_OF_OWNER = 'd1'.repeat(32);
const DIGEST = '9knpRtwCc9LK1BCJ222KZwgr9ZVHDyZhiLUTPt82FtmV';
const ID_LENGTH = 32;

/**
 * A transaction that is built once; then only its gas coin is replaced, which costs a copy instead
 * of a build. One coin pays the gas.
 */
export class TransactionTemplate {
  private constructor(
    private readonly bytes: Buffer,
    private readonly placeOfCoin: number,
  ) {}

  /** `build` adds the commands; `gasOwner` pays. */
  static async build(options: {
    sender: string;
    gasOwner: string;
    gasBudget: number;
    build: (transaction: Transaction) => void;
  }): Promise<TransactionTemplate> {
    const tx = new Transaction();
    options.build(tx);
    tx.setSender(options.sender);
    tx.setGasOwner(`0x${PLACE_OF_OWNER}`);
    tx.setGasPayment([{ objectId: `0x${PLACE_OF_COIN}`, version: 1, digest: DIGEST }]);
    tx.setGasBudget(options.gasBudget);
    tx.setGasPrice(1_000);
    const bytes = Buffer.from(await tx.build());
    const placeOfCoin = bytes.indexOf(Buffer.from(PLACE_OF_COIN, 'hex'));
    const placeOfOwner = bytes.indexOf(Buffer.from(PLACE_OF_OWNER, 'hex'));
    bytes.set(fromHex(options.gasOwner), placeOfOwner);
    return new TransactionTemplate(bytes, placeOfCoin);
  }

  /** The transaction, paid for with this coin. */
  fill({ objectId, version, digest }: Reference): Buffer {
    const bytes = Buffer.from(this.bytes);
    let position = this.placeOfCoin;
    bytes.set(fromHex(objectId), position);
    position = bytes.writeBigUInt64LE(BigInt(version), position + ID_LENGTH);
    // The digest follows its length.
    bytes.set(fromBase58(digest), position + 1);
    return bytes;
  }
}
