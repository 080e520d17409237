import { bcs } from '@iota/iota-sdk/bcs';
import { Transaction } from '@iota/iota-sdk/transactions';
import { type CoinReference, Scenario, type ScenarioOptions } from '../scenario.js';

const CARS = 30;

/**
 * The ledger of the recorded gRPC calls: coins, and cars of the demo package in place of the recorded boxes.
 */
export class GrpcScenario extends Scenario {
  #demo = { packageId: '', counterId: '' };
  #counterVersion = '';
  #cars: CoinReference[] = [];
  #frozenCar: CoinReference | null = null;

  constructor(
    options: ScenarioOptions,
    readonly grpcUrl: string,
  ) {
    super(options);
  }

  override async begin(): Promise<void> {
    await super.begin();
    const { demo } = (await this.control('GET', '/')) as {
      demo: { packageId: string; counterId: string };
    };
    this.#demo = demo;
    const { data } = await this.client.getObject({
      id: demo.counterId,
      options: { showOwner: true },
    });
    const { Shared: shared } = data!.owner as { Shared: { initial_shared_version: string } };
    this.#counterVersion = String(shared.initial_shared_version);
    const address = this.addressOf(this.user);
    this.#cars = await this.execute((tx) => {
      for (let index = 0; index < CARS; index += 1) {
        const [model, owner] = [tx.pure(bcs.string().serialize('car')), tx.pure.address(address)];
        tx.moveCall({ target: `${demo.packageId}::garage::build_car`, arguments: [model, owner] });
      }
    });
    const frozen = this.takeCar();
    await this.execute((tx) =>
      tx.moveCall({
        target: '0x2::transfer::public_freeze_object',
        typeArguments: [this.carType],
        arguments: [tx.objectRef(frozen)],
      }),
    );
    const { data: now } = await this.client.getObject({ id: frozen.objectId });
    this.#frozenCar = referenceOf(now!);
  }

  /** The account that pays, as recorded. */
  get sponsor(): string {
    return Object.keys(this.options.accounts)[1]!;
  }

  get carType(): string {
    return `${this.#demo.packageId}::garage::Car`;
  }

  get demoPackage(): string {
    return this.#demo.packageId;
  }

  get counter() {
    return { objectId: this.#demo.counterId, initialSharedVersion: this.#counterVersion };
  }

  get frozenCar(): CoinReference {
    return this.#frozenCar!;
  }

  /** A car of the user that no other call uses. */
  takeCar(): CoinReference {
    const car = this.#cars.pop();
    if (!car) throw new Error('no car is left');
    return car;
  }

  /** Advances the car to a new version. */
  async drive(car: CoinReference): Promise<void> {
    await this.execute((tx) =>
      tx.moveCall({
        target: `${this.#demo.packageId}::garage::drive`,
        arguments: [tx.objectRef(car), tx.pure.u64(1)],
      }),
    );
  }

  /** The objects that a transaction of the user created, as soon as reads show them. */
  private async execute(fill: (tx: Transaction) => void): Promise<CoinReference[]> {
    const transaction = new Transaction();
    const signer = this.keyOf(this.user)!;
    fill(transaction);
    transaction.setSender(signer.toIotaAddress());
    transaction.setGasPayment([this.takeCoin(this.user)]);
    transaction.setGasPrice(1000);
    transaction.setGasBudget(500_000_000);
    const { effects } = await this.client.signAndExecuteTransaction({
      signer,
      transaction,
      options: { showEffects: true },
    });
    if (effects?.status.status !== 'success') throw new Error(JSON.stringify(effects?.status));
    await this.settle();
    return (effects.created ?? []).map(({ reference }) => referenceOf(reference));
  }

  /** Resolves when reads show everything that has been executed. */
  async settle(): Promise<void> {
    await this.control('POST', '/until-shown');
  }

  /** The packages and the upgrade cap that a transaction published. */
  async publishedBy(digest: string): Promise<{ packageId: string; cap: CoinReference | null }> {
    await this.settle();
    const { objectChanges } = await this.client.getTransactionBlock({
      digest,
      options: { showObjectChanges: true },
    });
    const changes = objectChanges ?? [];
    const published = changes.find((change) => change.type === 'published');
    if (!published) throw new Error(`${digest} published no package`);
    const cap = changes.find(
      (change) => change.type === 'created' && change.objectType === '0x2::package::UpgradeCap',
    );
    return {
      packageId: published.packageId,
      cap: cap?.type === 'created' ? referenceOf(cap) : null,
    };
  }
}

function referenceOf({ objectId, version, digest }: CoinReference): CoinReference {
  return { objectId, version: String(version), digest };
}
