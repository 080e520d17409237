import { moveCallWith, type RawArgument, type RawCommand } from '../../support/raw-transaction.js';
import type { ArgumentPlan, CommandPlan } from './adversarial-plan.js';

/** Encodes a command as the ledger does. */
export function makeCommand(
  plan: CommandPlan,
  argumentOf: (plan: ArgumentPlan) => RawArgument,
): RawCommand {
  switch (plan.kind) {
    case 'call':
      return moveCallWith(plan.target, plan.args.map(argumentOf), plan.types);
    case 'split': {
      const amounts = plan.args.map(argumentOf);
      return { SplitCoins: { coin: argumentOf(plan.first), amounts } };
    }
    case 'merge': {
      const sources = plan.args.map(argumentOf);
      return { MergeCoins: { destination: argumentOf(plan.first), sources } };
    }
    case 'transfer': {
      const objects = plan.args.map(argumentOf);
      return { TransferObjects: { objects, address: argumentOf(plan.first) } };
    }
    case 'vector':
      return {
        MakeMoveVec: { type: plan.type, elements: plan.args.map(argumentOf) },
      };
    case 'publish':
      return { Publish: { modules: [...plan.modules], dependencies: [plan.dependency] } };
    case 'upgrade':
      return {
        Upgrade: {
          modules: [...plan.modules],
          dependencies: [plan.dependency],
          package: '0xdec0',
          ticket: argumentOf(plan.first),
        },
      };
  }
}
