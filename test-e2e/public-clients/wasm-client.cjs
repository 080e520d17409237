// Has a library of the IOTA Trust Framework sponsor a transaction: node wasm-client.cjs <library>.
const { IotaClient } = require('@iota/iota-sdk/client');
const { bcs } = require('@iota/iota-sdk/bcs');
const { Ed25519Keypair } = require('@iota/iota-sdk/keypairs/ed25519');
const { Transaction } = require('@iota/iota-sdk/transactions');
const { DefaultHttpClient, GasStationParams, TransactionBuilder } = require(process.argv[2]);

const { GAS_STATION, LEDGER_URL, TOKEN } = process.env;
const ledger = new IotaClient({ url: LEDGER_URL });
const user = new Ed25519Keypair();

const signer = {
  sign: async (bytes) => (await user.signTransaction(bytes)).signature,
  publicKey: async () => user.getPublicKey(),
  iotaPublicKeyBytes: async () => user.getPublicKey().toIotaBytes(),
  keyId: () => 'user',
};

// The library's own client needs the Move package of its product, which a local ledger does not have.
const client = {
  packageId: () => '0x2',
  packageHistory: () => ['0x2'],
  tfComponentsPackageId: () => '0x2',
  network: () => 'local',
  iotaClient: () => ledger,
  signer: () => signer,
  senderAddress: () => user.toIotaAddress(),
  senderPublicKey: () => user.getPublicKey(),
};

const readClock = {
  async buildProgrammableTransaction() {
    const tx = new Transaction();
    tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object('0x6')] });
    const bytes = await tx.build({ client: ledger, onlyTransactionKind: true });
    const { ProgrammableTransaction } = bcs.TransactionKind.parse(bytes);
    return bcs.ProgrammableTransaction.serialize(ProgrammableTransaction).toBytes();
  },
  apply: async ({ transactionDigest }) => transactionDigest,
  applyWithEvents: async ({ transactionDigest }) => transactionDigest,
};

async function main() {
  const params = new GasStationParams({ headers: new Map() }).withAuthToken(TOKEN);
  const { output } = await new TransactionBuilder(readClock)
    .withGasBudget(10_000_000n)
    .executeWithGasStation(client, GAS_STATION, new DefaultHttpClient(), params);
  console.log(output);
}

main().catch((error) => {
  console.error(error.message ?? error);
  process.exitCode = 1;
});
