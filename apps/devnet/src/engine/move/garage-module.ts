import { abort, type RuntimeObject, rawU64 } from '../execution-values.js';
import { U64_MAX } from '../gas-schedule.js';
import {
  addressOf,
  asValue,
  bytesOf,
  declareStruct,
  moveFunction as fn,
  objectOf,
  rawOf,
  u64Of,
  type MoveModule,
  type NativeCall,
} from '../move-module.js';
import type { StructLayout } from '../move-value.js';
import { CAR_TYPE, COUNTER_TYPE, DEMO_PACKAGE } from './token-module.js';

const CONTEXT = '&mut 0x2::tx_context::TxContext';
const CAR_MUT = `&mut ${CAR_TYPE}`;
const COUNTER_MUT = `&mut ${COUNTER_TYPE}`;
const OVERFLOW = 1n;

const CAR: StructLayout = {
  name: 'Car',
  abilities: ['Store', 'Key'],
  fields: [
    ['model', 'string'],
    ['mileage', 'u64'],
  ],
};
export const COUNTER_LAYOUT: StructLayout = {
  name: 'Counter',
  abilities: ['Key'],
  fields: [['value', 'u64']],
};

/** Layouts of event structs, which are not objects. */
function event(name: string, fields: StructLayout['fields']): StructLayout {
  return { name, abilities: ['Copy', 'Drop'], fields };
}
const CAR_BUILT = event('CarBuilt', [
  ['car', 'address'],
  ['builder', 'address'],
]);
const CAR_DRIVEN = event('CarDriven', [
  ['car', 'address'],
  ['driver', 'address'],
  ['distance', 'u64'],
  ['mileage', 'u64'],
]);
const COUNTED = event('Counted', [
  ['by', 'address'],
  ['value', 'u64'],
]);

function emit(call: NativeCall, layout: StructLayout, values: Record<string, string | bigint>) {
  const type = `${DEMO_PACKAGE}::garage::${layout.name}`;
  call.session.emit(DEMO_PACKAGE, 'garage', type, layout, values);
}

function build(call: NativeCall): RuntimeObject {
  const { session, values, location } = call;
  const model = readString(bytesOf(values[0]));
  if (model.length === 0) throw abort(location, 0n);
  const car = session.create(CAR_TYPE, CAR, { model, mileage: 0n });
  emit(call, CAR_BUILT, { car: car.id, builder: session.facts.sender });
  return car;
}

function readString(bytes: Buffer): string {
  let start = 0;
  while (bytes[start]! >= 128) start++;
  return bytes.toString('utf8', start + 1);
}

function add(call: NativeCall, object: RuntimeObject, field: string, amount: bigint): bigint {
  const sum = (object.values[field] as bigint) + amount;
  if (sum > U64_MAX) throw abort(call.location, OVERFLOW);
  object.values[field] = sum;
  return sum;
}

/** The demo package's cars, which can be created, changed, transferred and deleted, and a shared counter. */
export const GARAGE_MODULE: MoveModule = {
  packageId: DEMO_PACKAGE,
  name: 'garage',
  types: [CAR, COUNTER_LAYOUT, CAR_BUILT, CAR_DRIVEN, COUNTED].map(declareStruct),
  functions: [
    fn('new_car', { parameters: ['0x1::string::String', CONTEXT], returns: [CAR_TYPE] }, (call) => [
      asValue(build(call)),
    ]),
    fn(
      'build_car',
      { parameters: ['0x1::string::String', 'address', CONTEXT], isEntry: true },
      (call) => {
        call.session.transfer(build(call), { AddressOwner: addressOf(call.values[1]) });
        return [];
      },
    ),
    fn('drive', { parameters: [CAR_MUT, 'u64', CONTEXT], isEntry: true }, (call) => {
      const car = objectOf(call.values[0]);
      const distance = u64Of(call.values[1]);
      const mileage = add(call, car, 'mileage', distance);
      emit(call, CAR_DRIVEN, { car: car.id, driver: call.session.facts.sender, distance, mileage });
      return [];
    }),
    fn('mileage', { parameters: [`&${CAR_TYPE}`], returns: ['u64'] }, ({ values: [car] }) => [
      rawU64(objectOf(car).values.mileage as bigint),
    ]),
    fn(
      'give_car',
      { parameters: [CAR_TYPE, 'address'], isEntry: true },
      ({ session, values: [car, recipient] }) => {
        session.transfer(objectOf(car), { AddressOwner: addressOf(recipient) });
        return [];
      },
    ),
    fn('scrap', { parameters: [CAR_TYPE], isEntry: true }, ({ session, values: [car] }) => {
      session.delete(objectOf(car));
      return [];
    }),
    fn('count', { parameters: [COUNTER_MUT, CONTEXT], isEntry: true }, (call) => {
      const value = add(call, objectOf(call.values[0]), 'value', 1n);
      emit(call, COUNTED, { by: call.session.facts.sender, value });
      return [];
    }),
    fn(
      'count_value',
      { parameters: [`&${COUNTER_TYPE}`], returns: ['u64'] },
      ({ values: [counter] }) => [rawU64(objectOf(counter).values.value as bigint)],
    ),
    fn('fail', { parameters: ['u64'], isEntry: true }, ({ values: [code], location }) => {
      throw abort(location, u64Of(code));
    }),
    fn('burn', { parameters: ['u64'], isEntry: true }, ({ session, values: [units] }) => {
      session.facts.meter.charge(u64Of(units));
      return [];
    }),
    fn('raise', { parameters: ['&mut u64', 'u64'] }, ({ values: [price, by], location }) => {
      const sum = u64Of(price) + u64Of(by);
      if (sum > U64_MAX) throw abort(location, OVERFLOW);
      rawOf(price).bytes = rawOf(rawU64(sum)).bytes;
      return [];
    }),
  ],
};
