import { setImmediate } from 'node:timers/promises';
import type { ExecutedTransaction } from '../../node-messages/index.js';
import { encodeBase58 } from '../../base58/index.js';
import { type Datatype, type Layout, readDatatype, showType } from '../move/value-type.js';
import { PackageMissing } from '../move/package-missing.js';
import { MoveTooLarge } from '../move/move-too-large.js';
import { UnreadableMove } from '../move/unreadable-move.js';
import { isPackage, readPackage } from '../move/read-package.js';
import { showValue } from '../move/show-value.js';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { NodeFailure } from '../transport/node-failure.js';
import { parseEffects } from './effects-reader.js';
import type { NodeLayouts } from './node-layouts.js';

/** The limit of nodes for types and names in the JSON of one event, in bytes (`MAX_ANNOTATED_VALUE_SIZE`). */
const MOST_NAME_BYTES = 2 ** 20;
/**
 * Of a whole transaction: the bytes of its events, and what their JSON adds. A megabyte takes about ten of
 * memory.
 */
const MOST_SHOWN_BYTES = 4 * 2 ** 20;
/** How much is decoded before other work gets its turn. */
const TURN_BYTES = 2 ** 18;
const EVENT_VERSIONS = 1;

interface ReadEvent {
  readonly packageId: string;
  readonly module: string;
  readonly sender: string;
  readonly type: Datatype;
  readonly contents: Buffer;
}

/** Either the events, or why they cannot be shown. */
export interface ShownEvents {
  readonly events?: readonly object[];
  readonly errors?: readonly string[];
}

/**
 * A transaction's Move events in the JSON of nodes. `parsedJson` is null for an event whose type or content
 * is too large; `errors` says why none can be shown. Throws `NodeFailure` if the node does not return the
 * packages in time.
 */
export async function showEvents(
  executed: ExecutedTransaction,
  node: NodeLayouts,
  endsAt: number,
): Promise<ShownEvents> {
  const sent = executed.events?.events?.events ?? [];
  if (sent.length === 0 && hasNone(executed)) return { events: [] };
  if (sent.length === 0) return { errors: ['events: the node leaves them out'] };
  try {
    const events = sent.map(({ bcs }) => readEvent(bcs!.data));
    return {
      events: await showAll(events, executed, await findLayouts(events, executed, node, endsAt)),
    };
  } catch (error) {
    const isOfMove =
      error instanceof UnreadableMove ||
      error instanceof MoveTooLarge ||
      error instanceof PackageMissing;
    if (!isOfMove) throw error;
    return { errors: [`events: ${error.message}`] };
  }
}

/** Whether the effects tell that the transaction has emitted none. */
function hasNone({ effects }: ExecutedTransaction): boolean {
  try {
    return parseEffects(effects!.bcs!.data).eventsDigest === null;
  } catch {
    return false;
  }
}

function readEvent(bytes: Uint8Array): ReadEvent {
  const reader = new StrictReader(bytes);
  reader.readVariant(EVENT_VERSIONS, 'VersionedEvent');
  const event = {
    packageId: reader.readAddress(),
    module: reader.readIdentifier(),
    sender: reader.readAddress(),
    type: readDatatype(reader),
    contents: reader.readBytes(reader.readLength()),
  };
  reader.expectEnd();
  return event;
}

/** The layout of each event; null for one that is too large. */
async function findLayouts(
  events: readonly ReadEvent[],
  { outputObjects, checkpoint }: ExecutedTransaction,
  node: NodeLayouts,
  endsAt: number,
): Promise<(Layout | null)[]> {
  const written = (outputObjects?.objects ?? []).flatMap(({ bcs }) => bcs?.data ?? []);
  const published = written.filter(isPackage).map(readPackage);
  const types = events.map(({ type }) => type);
  const find = () => node.find(types, published, endsAt);
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof PackageMissing) || checkpoint === undefined) throw error;
    // Behind a balancer, another node may have answered, which lags.
    if (await node.hasExecuted(checkpoint)) return await find();
    throw new NodeFailure(`${error.message} yet`, { mayBeProcessed: false, cause: error });
  }
}

async function showAll(
  events: readonly ReadEvent[],
  { transaction }: ExecutedTransaction,
  layouts: readonly (Layout | null)[],
): Promise<object[]> {
  const txDigest = transaction?.digest ? encodeBase58(transaction.digest.digest) : '';
  const json: object[] = [];
  let left = MOST_SHOWN_BYTES;
  let turnEnd = left - TURN_BYTES;
  for (const [index, { packageId, module, sender, type, contents }] of events.entries()) {
    const layout = layouts[index] ?? null;
    const { value: parsedJson, bytes } = showContents(contents, layout, left);
    left -= bytes;
    json.push({
      id: { txDigest, eventSeq: String(index) },
      packageId,
      transactionModule: module,
      sender,
      type: showType(type),
      parsedJson,
      bcsEncoding: 'base64',
      bcs: contents.toString('base64'),
    });
    if (left > turnEnd) continue;
    await setImmediate();
    turnEnd = left - TURN_BYTES;
  }
  return json;
}

/** The JSON of an event, null if it is too large, and what it has taken of the transaction's `left` bytes. */
function showContents(
  contents: Buffer,
  layout: Layout | null,
  left: number,
): { readonly value: unknown; readonly bytes: number } {
  const most = Math.min(MOST_NAME_BYTES, left - contents.length);
  if (layout === null || most < 0) return { value: null, bytes: 0 };
  const names = { left: most };
  let value: unknown = null;
  try {
    value = showValue(contents, layout, names);
  } catch (error) {
    if (!(error instanceof MoveTooLarge)) throw error;
  }
  return { value, bytes: contents.length + most - Math.max(0, names.left) };
}
