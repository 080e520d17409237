import type { CommandKind, DecodedTransaction, LedgerCodec } from '@forecourt/ledger';

const MOVE_CALL = 'MoveCall' satisfies CommandKind;

/** The parts of a sponsorship that describe its transaction. */
export interface TransactionDescription {
  readonly sender: string | null;
  /** In order: `MoveCall 0x…::module::function`, `TransferObjects`, … */
  readonly commands: readonly string[];
}

/** A function that a transaction calls. */
export interface CalledFunction {
  readonly package: string;
  readonly module: string;
  readonly function: string;
}

/** Describes base64 bytes; empty or undecodable ones have neither a sender nor commands. */
export function describeTransaction(
  decoder: LedgerCodec,
  transaction: string,
): TransactionDescription {
  const decoded = transaction === '' ? null : decode(decoder, transaction);
  if (!decoded) return { sender: null, commands: [] };
  const calls = decoded.moveCalls.values();
  const commands = decoded.commandKinds.map((kind) => {
    if (kind !== MOVE_CALL) return kind;
    const call = calls.next().value!;
    return `${kind} ${call.packageId}::${call.module}::${call.function}`;
  });
  return { sender: decoded.sender, commands };
}

/** The bytes were valid when they were claimed: only another release of the decoder refuses them. */
function decode(decoder: LedgerCodec, transaction: string): DecodedTransaction | null {
  try {
    return decoder.decodeTransaction(Buffer.from(transaction, 'base64'));
  } catch {
    return null;
  }
}

/** The called functions of a sponsorship's commands, each once. */
export function calledFunctions(commands: readonly string[]): CalledFunction[] {
  return [...new Set(commands)].flatMap((command) => {
    const [kind, target] = command.split(' ');
    if (kind !== MOVE_CALL || target === undefined) return [];
    const [packageId = '', module = '', name = ''] = target.split('::');
    return [{ package: packageId, module, function: name }];
  });
}
