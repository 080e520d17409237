import type { CallArgument, MoveCall } from '@forecourt/ledger';
import type { ExpressionWork } from './expression-work.js';
import { ExpressionArgument } from './expression-argument.js';

/** The representation of a Move call in expressions. */
export class ExpressionCall {
  #args: readonly ExpressionArgument[] | undefined;

  constructor(
    private readonly call: MoveCall,
    private readonly readArguments: () => readonly CallArgument[] | null,
    private readonly work: ExpressionWork,
  ) {}

  get packageId(): string {
    return this.call.packageId;
  }

  get module(): string {
    return this.call.module;
  }

  get name(): string {
    return this.call.function;
  }

  get typeArguments(): readonly string[] {
    return this.call.typeArguments;
  }

  get args(): readonly ExpressionArgument[] {
    const { work } = this;
    if (!this.#args) {
      const args = this.readArguments() ?? work.miss(this.call);
      work.spend(args.length);
      this.#args = args.map((one) => new ExpressionArgument(one, work));
    }
    return this.#args;
  }
}
