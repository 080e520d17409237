import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { readDto, requireKnownMessage } from '@forecourt/contracts';

/** Messages that were sent inside this process. One that arrives from elsewhere is never the same object. */
const ofThisProcess = new WeakSet<object>();

/** Notes that a message is sent inside this process: its sender has formed it from what it has validated. */
export function noteOwnMessage(message: unknown): void {
  if (typeof message === 'object' && message !== null) ofThisProcess.add(message);
}

/**
 * Reads every message from another process as the DTO that its handler names. Throws COIN_POOL_OUTDATED for
 * one of a newer version, INVALID_REQUEST naming each invalid field.
 */
@Injectable()
export class ReadMessage implements PipeTransform {
  transform(message: unknown, { metatype }: ArgumentMetadata): unknown {
    if (typeof message === 'object' && message !== null && ofThisProcess.has(message)) {
      return message;
    }
    requireKnownMessage(message);
    return metatype ? readDto(metatype, message) : message;
  }
}
