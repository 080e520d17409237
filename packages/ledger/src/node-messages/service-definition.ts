import {
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';

/** A method of a service in the form that `@grpc/grpc-js` takes, for clients and for servers. */
export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (message: Message) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => Message;
  readonly responseSerialize: (message: Message) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => Message;
}

/** The methods of a service by name, such as `ExecuteTransactions`. */
export function serviceDefinition(service: DescService): Record<string, MethodDefinition> {
  return Object.fromEntries(
    service.methods.map((method) => [method.name, methodDefinition(method)]),
  );
}

export function methodDefinition(method: DescMethod): MethodDefinition {
  const { input, output, parent, name, methodKind } = method;
  return {
    path: `/${parent.typeName}/${name}`,
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    ...serialization('request', input),
    ...serialization('response', output),
  } as MethodDefinition;
}

function serialization(side: 'request' | 'response', schema: DescMessage) {
  return {
    [`${side}Serialize`]: (message: Message) => Buffer.from(toBinary(schema, message)),
    [`${side}Deserialize`]: (bytes: Buffer) => fromBinary(schema, bytes),
  };
}
