import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { readDto, requireKnownMessage } from '@forecourt/contracts';

/** Marks messages that were sent inside this process. JSON from elsewhere has no symbols. */
const OWN = Symbol('own message');

/** Notes that a message is sent inside this process: its sender has formed it from what it has validated. */
export function noteOwnMessage(message: object): void {
  Object.assign(message, { [OWN]: true });
}

/**
 * Reads every message from another process as the DTO that its handler names. Throws COIN_POOL_OUTDATED for
 * one of a newer version, INVALID_REQUEST naming each invalid field.
 */
@Injectable()
export class ReadMessage implements PipeTransform {
  transform(message: unknown, { metatype }: ArgumentMetadata): unknown {
    if (typeof message === 'object' && message !== null && OWN in message) {
      return message;
    }
    requireKnownMessage(message);
    return metatype ? readDto(metatype, message) : message;
  }
}
