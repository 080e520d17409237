import { ConnectionDropped } from '@forecourt/json-rpc';

/** The answer over gRPC begins and has no end. */
export class EndlessAnswer extends ConnectionDropped {}
