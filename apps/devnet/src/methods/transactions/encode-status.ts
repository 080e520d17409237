import type { bcs } from '@iota/iota-sdk/bcs';
import type { ExecutionStatus } from '../../engine/engine-interface.js';

type EffectsBcs = NonNullable<(typeof bcs.TransactionEffects.$inferInput)['V1']>;
type Status = EffectsBcs['status'];
type Failure = NonNullable<Extract<Status, { Failed: unknown }>['Failed']>['error'];

/**
 * The status of an execution as BCS has it. The engine names failures in the words of nodes, which are the
 * debugging format of the same values; a text that is not in this format becomes a general failure.
 */
export function encodeStatus(status: ExecutionStatus): Status {
  if (status.status === 'success') return { Success: true };
  const [, text = '', command] = /^(.*?)(?: in command (\d+))?$/s.exec(status.error) ?? [];
  return {
    Failed: {
      error: (encodeValue(text) ?? { InvariantViolation: true }) as Failure,
      command: command ?? null,
    },
  };
}

/** A variant with its fields: `Name`, `Name { field: value, … }` or `MoveAbort(location, code)`. */
function encodeValue(text: string): object | null {
  const abort = ABORT.exec(text)?.groups;
  if (abort) return { MoveAbort: [locationOf(abort), abort['code']] };
  const [, name, fields] = /^(\w+)(?: \{ (.*) \})?$/.exec(text) ?? [];
  if (name === undefined) return null;
  if (fields === undefined) return { [name]: true };
  return { [name]: encodeFields(fields) };
}

const ABORT =
  /^MoveAbort\(MoveLocation \{ module: ModuleId \{ address: (?<address>\w+), name: Identifier\("(?<module>\w+)"\) \}, function: (?<index>\d+), instruction: (?<instruction>\d+), function_name: Some\("(?<name>\w+)"\) \}, (?<code>\d+)\)$/;

function locationOf(groups: Readonly<Record<string, string>>): object {
  return {
    module: { address: `0x${groups['address']}`, name: groups['module'] },
    function: Number(groups['index']),
    instruction: Number(groups['instruction']),
    functionName: groups['name'],
  };
}

/** Fields are numbers, addresses or variants; a variant is the last field. */
function encodeFields(text: string): object {
  const fields: Record<string, unknown> = {};
  let rest = text;
  while (rest !== '') {
    const [whole, name = '', value = ''] =
      /^(\w+): (\w+(?: \{ .* \})?|\[.*\])(?:, )?/.exec(rest) ?? [];
    if (whole === undefined) break;
    fields[camelCase(name)] = /^(\d+|0x\w+)$/.test(value) ? value : encodeValue(value);
    rest = rest.slice(whole.length);
  }
  return fields;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());
}
