import { ExecutionFailure } from './execution-failure.js';
import { computationCost } from './gas-schedule.js';

/** Counts computation units against what the budget can pay. */
export class GasMeter {
  #units = 0n;

  constructor(
    private readonly price: bigint,
    private readonly budget: bigint,
  ) {}

  /** Fails with `InsufficientGas` once the units cost more than the budget. */
  charge(units: bigint): void {
    this.#units += units;
    if (this.cost > this.budget) throw new OutOfGas();
  }

  /** What the units used so far cost; at least the smallest step. */
  get cost(): bigint {
    return computationCost(this.#units, this.price);
  }
}

export class OutOfGas extends ExecutionFailure {
  constructor() {
    super('InsufficientGas');
  }
}
