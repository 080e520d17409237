import {
  clearField,
  create,
  type DescField,
  type DescMessage,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { NodeProfile } from '../node/node-profile.js';
import { invalidField } from './grpc-status.js';

/** Messages around a list or a map, which paths of read masks skip. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  'iota.grpc.v1.object.Objects',
  'iota.grpc.v1.signatures.UserSignatures',
  'iota.grpc.v1.event.Events',
  'iota.grpc.v1.transaction.BalanceChanges',
  'iota.grpc.v1.transaction.ObjectChanges',
  'iota.grpc.v1.command.CommandResults',
  'iota.grpc.v1.command.CommandOutputs',
  'iota.grpc.v1.epoch.ProtocolFeatureFlags',
  'iota.grpc.v1.epoch.ProtocolAttributes',
]);

/** Fields of the newest published messages that nodes of March 2026 do not know. */
const SINCE_2026: ReadonlySet<string> = new Set([
  'iota.grpc.v1.transaction.ExecutedTransaction.balance_changes',
  'iota.grpc.v1.transaction.ExecutedTransaction.object_changes',
]);

/** Whether a node of this version has the field. */
export function isKnownField(field: DescField, { version }: Pick<NodeProfile, 'version'>): boolean {
  return version === '2026' || !SINCE_2026.has(`${field.parent.typeName}.${field.name}`);
}

/** The messages at the top of a mask's paths: one message, or one for each first part. */
type Root = DescMessage | Readonly<Record<string, DescMessage>>;

/** The parts of an answer that a call asks for. */
export class ReadMask {
  readonly #children = new Map<string, ReadMask>();
  #isWhole = true;

  /** Throws `GrpcFailure` for a path that names no field of this version. An empty mask asks for nothing. */
  static read(
    mask: { readonly paths: readonly string[] } | undefined,
    usual: readonly string[],
    root: Root,
    profile: Pick<NodeProfile, 'version'>,
  ): ReadMask {
    const read = ReadMask.ofNothing();
    const paths = mask?.paths ?? usual;
    for (const path of paths.filter((each) => each !== '*')) {
      const parts = path.split('.');
      if (!leadsToField(root, parts, profile)) {
        throw invalidField('read_mask', `invalid read_mask path: ${path}`);
      }
      read.add(parts);
    }
    return paths.includes('*') ? new ReadMask() : read;
  }

  /** Asks for no part at all. */
  static readonly nothing = ReadMask.ofNothing();

  private static ofNothing(): ReadMask {
    const mask = new ReadMask();
    mask.#isWhole = false;
    return mask;
  }

  private add([first, ...rest]: readonly string[]): void {
    const known = this.#children.get(first!);
    // The whole field has been asked for already.
    if (known?.isWhole) return;
    const child = rest.length === 0 ? new ReadMask() : (known ?? ReadMask.ofNothing());
    this.#children.set(first!, child);
    if (rest.length > 0) child.add(rest);
  }

  /** Whether it asks for everything. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  asks(name: string): boolean {
    return this.isWhole || this.#children.has(name);
  }

  /** Whether the part has been asked for by its name. */
  names(name: string): boolean {
    return this.#children.has(name);
  }

  /** The mask of a part that has been asked for. */
  under(name: string): ReadMask {
    return this.#children.get(name) ?? new ReadMask();
  }

  /** A message with the fields that have been asked for. */
  pick<S extends DescMessage>(schema: S, fields: MessageInitShape<S>): MessageShape<S> {
    return this.applyTo(schema, create(schema, fields));
  }

  /** Clears the fields of a message that have not been asked for, and returns the message. */
  applyTo<M extends Message>(schema: DescMessage, message: M): M {
    if (this.isWhole) return message;
    for (const field of schema.fields) {
      const mask = this.maskOf(field);
      if (mask === null) clearField(message, field);
      else if (field.message) applyToValue(mask, field, message);
    }
    return message;
  }

  /** The members of a oneof can be named by themselves, or below the name of the oneof. */
  private maskOf({ name, oneof }: DescField): ReadMask | null {
    const own = this.#children.get(name);
    if (own) return own;
    const group = oneof && this.#children.get(oneof.name);
    return group?.asks(name) ? group.under(name) : null;
  }
}

function applyToValue(mask: ReadMask, field: DescField, message: Message): void {
  const fields = message as unknown as Record<string, unknown>;
  const holder =
    field.oneof && (fields[field.oneof.localName] as { case?: string; value?: unknown });
  const value = holder ? holder.case === field.localName && holder.value : fields[field.localName];
  const schema = field.message;
  if (!value || !schema || field.fieldKind === 'map') return;
  const values = Array.isArray(value) ? (value as Message[]) : [value as Message];
  for (const each of values) applyThrough(mask, schema, each);
}

function applyThrough(mask: ReadMask, schema: DescMessage, message: Message): void {
  if (!TRANSPARENT.has(schema.typeName)) mask.applyTo(schema, message);
  else applyToValue(mask, schema.fields[0]!, message);
}

function leadsToField(
  root: Root,
  [first, ...rest]: readonly string[],
  profile: Pick<NodeProfile, 'version'>,
): boolean {
  const leads = (to: DescMessage) => rest.length === 0 || leadsToField(to, rest, profile);
  if (!('fields' in root)) {
    const schema = root[first!];
    return schema !== undefined && leads(schema);
  }
  const schema = root as DescMessage;
  if (TRANSPARENT.has(schema.typeName)) {
    const [list] = schema.fields;
    // Keys of maps are free.
    return list?.message ? leadsToField(list.message, [first!, ...rest], profile) : true;
  }
  if (schema.oneofs.some(({ name }) => name === first)) return leads(schema);
  const field = schema.fields.find(({ name }) => name === first);
  if (!field || !isKnownField(field, profile)) return false;
  return rest.length === 0 || (field.message !== undefined && leads(field.message));
}
