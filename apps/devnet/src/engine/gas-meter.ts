import { ExecutionFailure } from './execution-values.js';
import { computationCost } from './gas-schedule.js';

/** Counts computation units against the budget. */
export class GasMeter {
  #units = 0n;

  constructor(
    private readonly price: bigint,
    private readonly budget: bigint,
  ) {}

  /** Throws `OutOfGas` when the units cost more than the budget. */
  charge(units: bigint): void {
    this.#units += units;
    if (this.cost > this.budget) throw new OutOfGas();
  }

  /** The cost of the units used so far, at least one step. */
  get cost(): bigint {
    return computationCost(this.#units, this.price);
  }
}

export class OutOfGas extends ExecutionFailure {
  constructor() {
    super('InsufficientGas');
  }
}
