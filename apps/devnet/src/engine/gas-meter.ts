import { ExecutionFailed } from './execution-failed.js';
import { computationCost } from './gas-schedule.js';

/** The error of a transaction whose budget is too small, as a node names it. */
export const INSUFFICIENT_GAS = 'InsufficientGas';

/** Counts computation units against the budget. */
export class GasMeter {
  #units = 0n;

  constructor(
    private readonly price: bigint,
    private readonly budget: bigint,
  ) {}

  /** Throws `ExecutionFailed` when the units cost more than the budget. */
  charge(units: bigint): void {
    this.#units += units;
    if (computationCost(this.#units, this.price) > this.budget)
      throw new ExecutionFailed(INSUFFICIENT_GAS);
  }

  /** The cost of the units used so far: at least one step, and at most the budget. */
  get cost(): bigint {
    const cost = computationCost(this.#units, this.price);
    return cost < this.budget ? cost : this.budget;
  }
}
