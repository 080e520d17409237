import type { CallArgument } from '@forecourt/ledger';
import { type ExpressionValue, valueOf } from './expression-value.js';
import type { ExpressionWork } from './expression-work.js';

/** The representation of an argument in expressions. A field that it does not have fails the expression. */
export class ExpressionArgument {
  constructor(
    private readonly argument: CallArgument,
    private readonly work: ExpressionWork,
  ) {}

  get kind(): string {
    return this.argument.kind;
  }

  get type(): string {
    return this.work.known(this.argument.type ?? undefined);
  }

  get value(): ExpressionValue {
    const { work, argument } = this;
    return valueOf(work.known(argument.kind === 'pure' ? argument.value : undefined), work);
  }

  get objectId(): string {
    return this.work.known(this.argument.kind === 'object' ? this.argument.objectId : undefined);
  }

  get use(): string {
    return this.work.known(this.argument.kind === 'object' ? this.argument.use : undefined);
  }
}
