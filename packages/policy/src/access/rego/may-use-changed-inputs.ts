import type { AccessSubject } from '../access-subject.js';

interface Reference {
  readonly Input?: number;
}

/** A transaction in the JSON of the ledger's own tools, as far as it is read here. */
interface TransactionJson {
  readonly V1?: {
    readonly kind?: {
      readonly ProgrammableTransaction?: {
        readonly inputs: readonly object[];
        readonly commands: readonly Readonly<Record<string, unknown>>[];
      };
    };
  };
}

/**
 * Whether a command may have changed a pure input that a later one takes: `json` has its stated value, and
 * the ledger executes the changed one. Asks the ledger only about calls with such inputs. Rejects as
 * `readArguments` does.
 */
export async function mayUseChangedInputs(
  json: unknown,
  { transaction: { moveCalls }, readArguments }: AccessSubject,
): Promise<boolean> {
  const reused = findReusedInputs(json);
  if (reused.size === 0) return false;
  const takers = new Set([...reused.keys()].map((index) => moveCalls[index]));
  const argumentsOf = await readArguments((call) => takers.has(call));
  return [...reused].some(([index, positions]) =>
    positions.some((position) => {
      const argument = argumentsOf(index)[position];
      return argument?.kind !== 'pure' || argument.isLent;
    }),
  );
}

/**
 * The pure inputs that a Move call takes and a later command takes too: the positions of such arguments, by
 * the call's position among the Move calls.
 */
function findReusedInputs(json: unknown): ReadonlyMap<number, readonly number[]> {
  const { inputs = [], commands = [] } =
    (json as TransactionJson).V1?.kind?.ProgrammableTransaction ?? {};
  const lastUse = new Map<number, number>();
  const uses = commands.map(referencesOf);
  for (const [index, references] of uses.entries()) {
    for (const { Input: input } of references) if (input !== undefined) lastUse.set(input, index);
  }
  const reused = new Map<number, number[]>();
  let call = 0;
  for (const [index, command] of commands.entries()) {
    if (!('MoveCall' in command)) continue;
    const positions = [...uses[index]!.keys()].filter((position) => {
      const { Input: input } = uses[index]![position]!;
      const isPure = input !== undefined && 'Pure' in (inputs[input] ?? {});
      return isPure && lastUse.get(input)! > index;
    });
    if (positions.length > 0) reused.set(call, positions);
    call += 1;
  }
  return reused;
}

/** The arguments of a command; others than inputs are empty. */
function referencesOf(command: Readonly<Record<string, unknown>>): Reference[] {
  const { MoveCall: call } = command as { readonly MoveCall?: { readonly arguments: unknown[] } };
  const parts: unknown[] = call ? call.arguments : [Object.values(command)[0]].flat(2);
  return parts.map((part) => (typeof part === 'object' && part !== null ? part : {}));
}
