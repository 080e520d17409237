import type { bcs } from '@iota/iota-sdk/bcs';

type Command = NonNullable<
  NonNullable<(typeof bcs.TransactionData.$inferType)['V1']>['kind']['ProgrammableTransaction']
>['commands'][number];
type Argument = NonNullable<Command['SplitCoins']>['coin'];

/**
 * Every place where a command takes the gas coin, in words: `command 2 (TransferObjects), address`.
 * All argument positions of all commands are looked at; a command of a kind unknown here counts as a use, since nobody
 * has said where its arguments are.
 */
export function findGasCoinUses(commands: readonly Command[]): string[] {
  return commands.flatMap((command, index) => {
    const place = `command ${index} (${command.$kind})`;
    const positions = argumentsOf(command);
    if (positions === null) return [place];
    return positions
      .filter(([, argument]) => argument.GasCoin)
      .map(([position]) => `${place}, ${position}`);
  });
}

function argumentsOf(command: Command): [string, Argument][] | null {
  const list = (name: string, some: readonly Argument[]): [string, Argument][] =>
    some.map((argument, index) => [`${name} ${index}`, argument]);
  switch (command.$kind) {
    case 'MoveCall':
      return list('argument', command.MoveCall.arguments);
    case 'TransferObjects': {
      const { objects, address } = command.TransferObjects;
      return [...list('object', objects), ['address', address]];
    }
    case 'SplitCoins': {
      const { coin, amounts } = command.SplitCoins;
      return [['coin', coin], ...list('amount', amounts)];
    }
    case 'MergeCoins': {
      const { destination, sources } = command.MergeCoins;
      return [['destination', destination], ...list('source', sources)];
    }
    case 'MakeMoveVec':
      return list('element', command.MakeMoveVec.elements);
    case 'Upgrade':
      return [['ticket', command.Upgrade.ticket]];
    case 'Publish':
      return [];
    default:
      return null;
  }
}
