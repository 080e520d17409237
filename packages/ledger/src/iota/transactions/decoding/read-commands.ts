import { type CommandKind, commandKinds, type MoveCall } from '../../../decoded-transaction.js';
import { MAX_ARGUMENTS, MAX_COMMANDS } from '../../limits.js';
import { readType, readTypes } from './read-type.js';
import type { StrictReader } from './strict-reader.js';

/** The ledger's `Argument`, in the order of its variants. */
const ARGUMENTS = 4;
const GAS_COIN = 0;
const INPUT = 1;
const NESTED_RESULT = 3;
const OPTION = 2;
const NONE = 0;
/** One use of the gas coin is a reason to refuse a transaction; a text for each of thousands would take long. */
const NAMED_USES = 8;

/** The contents of a programmable transaction's commands, in the form of `DecodedTransaction`. */
export interface TransactionCommands {
  readonly commandKinds: readonly CommandKind[];
  readonly moveCalls: readonly MoveCall[];
  readonly vectorTypes: readonly (string | null)[];
  readonly packages: readonly string[];
  readonly gasCoinUses: readonly string[];
}

/** `objectIds`: of the inputs, by their positions. Throws `InvalidTransactionBytes`. */
export function readCommands(
  reader: StrictReader,
  objectIds: readonly (string | null)[],
): TransactionCommands {
  const commands = new CommandReader(reader, objectIds);
  for (let left = reader.readCount(MAX_COMMANDS, 'commands'); left > 0; left--) {
    commands.readCommand();
  }
  return { ...commands.found, packages: [...commands.packages] };
}

class CommandReader {
  readonly packages = new Set<string>();
  readonly found = {
    commandKinds: [] as CommandKind[],
    moveCalls: [] as MoveCall[],
    vectorTypes: [] as (string | null)[],
    gasCoinUses: [] as string[],
  };

  constructor(
    private readonly reader: StrictReader,
    private readonly objectIds: readonly (string | null)[],
  ) {}

  /** Fields in the order of the ledger's `Command`. */
  readCommand(): void {
    const { reader, packages, found } = this;
    const kind = commandKinds[reader.readVariant(commandKinds.length, 'Command')]!;
    found.commandKinds.push(kind);
    switch (kind) {
      case 'MoveCall':
        found.moveCalls.push(this.readMoveCall());
        break;
      case 'TransferObjects':
        this.readArguments('object');
        this.readArgument('address');
        break;
      case 'SplitCoins':
        this.readArgument('coin');
        this.readArguments('amount');
        break;
      case 'MergeCoins':
        this.readArgument('destination');
        this.readArguments('source');
        break;
      case 'Publish':
        this.readModulesAndDependencies();
        break;
      case 'MakeMoveVec': {
        const isNone = reader.readVariant(OPTION, 'Option') === NONE;
        found.vectorTypes.push(isNone ? null : readType(reader, packages));
        this.readArguments('element');
        break;
      }
      case 'Upgrade':
        this.readModulesAndDependencies();
        packages.add(reader.readAddress());
        this.readArgument('ticket');
        break;
    }
  }

  private readMoveCall(): MoveCall {
    const { reader, packages } = this;
    const packageId = reader.readAddress();
    packages.add(packageId);
    const module = reader.readIdentifier();
    const name = reader.readIdentifier();
    const typeArguments = readTypes(reader, packages);
    const objects = this.readArguments('argument');
    return { packageId, module, function: name, typeArguments, objects };
  }

  private readModulesAndDependencies(): void {
    const { reader, packages } = this;
    for (let left = reader.readLength(); left > 0; left--) reader.skipBytes();
    for (let left = reader.readLength(); left > 0; left--) packages.add(reader.readAddress());
  }

  /** The ids of the objects among them. */
  private readArguments(name: string): string[] {
    const objects: string[] = [];
    const count = this.reader.readCount(MAX_ARGUMENTS, 'arguments of a command');
    for (let index = 0; index < count; index++) {
      const objectId = this.readArgument(name, index);
      if (objectId !== null) objects.push(objectId);
    }
    return objects;
  }

  /** The id of the input object; null for any other argument. */
  private readArgument(name: string, index?: number): string | null {
    const { reader } = this;
    const kind = reader.readVariant(ARGUMENTS, 'Argument');
    if (kind === GAS_COIN) {
      if (this.found.gasCoinUses.length < NAMED_USES)
        this.noteGasCoinUse(index === undefined ? name : `${name} ${index}`);
      return null;
    }
    const place = reader.readU16();
    if (kind === NESTED_RESULT) reader.readU16();
    return kind === INPUT ? (this.objectIds[place] ?? null) : null;
  }

  private noteGasCoinUse(position: string): void {
    const { commandKinds: kinds, gasCoinUses } = this.found;
    gasCoinUses.push(`command ${kinds.length - 1} (${kinds.at(-1)}), ${position}`);
  }
}
