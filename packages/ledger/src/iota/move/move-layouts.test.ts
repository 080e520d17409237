import { describe, expect, it } from '@jest/globals';
import { UnreadableMove } from './unreadable-move.js';
import { MoveLayouts } from './move-layouts.js';
import { CachedPackages } from './cached-packages.js';
import { type Datatype, datatype, type ValueType } from './value-type.js';
import { packageObject, packagesOf } from './package-object.test-support.js';
import { showValue } from './show-value.js';

const id = (digit: string) => `0x${digit.repeat(64)}`;
const [A1, A2, B1, B2] = [id('a'), id('c'), id('b'), id('d')];

const typeIn = (owner: string, name: string, ...typeArguments: ValueType[]): Datatype =>
  datatype({ package: owner, module: 'm', name }, typeArguments);
const struct = (name: string, ...fields: [string, string][]) => ({ name, fields });

async function show(packages: CachedPackages, type: Datatype, ...bytes: number[]) {
  const layout = await new MoveLayouts(packages).of(type);
  return showValue(Uint8Array.from(bytes), layout!, { left: 1e9 });
}

describe('the layout of a type', () => {
  it('follows the links of its package, and names types by the version that introduced them', async () => {
    const old = struct('Old', ['n', 'u8']);
    const packages = packagesOf(
      packageObject({ id: A1, modules: [{ name: 'm', types: [old] }] }),
      packageObject({
        id: A2,
        firstId: A1,
        modules: [{ name: 'm', types: [old, struct('New', ['b', 'bool'])] }],
        origins: { 'm::Old': A1 },
      }),
      packageObject({
        id: B2,
        firstId: B1,
        modules: [
          {
            name: 'm',
            types: [
              struct('First', ['w', 'u8']),
              struct(
                'Event',
                ['old', `0x1::option::Option<${A1}::m::Old>`],
                ['new', `0x1::option::Option<${A1}::m::New>`],
                ['own', `0x1::option::Option<${B1}::m::First>`],
              ),
            ],
          },
        ],
        origins: { 'm::First': B1 },
        linkage: { [A1]: A2 },
      }),
      packageObject({ id: B1, modules: [{ name: 'm', types: [struct('First', ['w', 'u8'])] }] }),
    );
    expect(await show(packages, typeIn(B2, 'Event'), 1, 4, 1, 1, 1, 6)).toEqual({
      old: { type: `${A1}::m::Old`, fields: { n: 4 } },
      new: { type: `${A2}::m::New`, fields: { b: true } },
      own: { type: `${B1}::m::First`, fields: { w: 6 } },
    });
  });

  it('has type arguments in the place of parameters, and needs no package of one without values', async () => {
    const packages = packagesOf(
      packageObject({
        id: A1,
        modules: [
          {
            name: 'm',
            types: [
              { name: 'Both', typeParameters: 2, fields: [['two', `${A1}::m::One<vector<T1>>`]] },
              { name: 'One', typeParameters: 1, fields: [['one', '0x1::option::Option<T0>']] },
            ],
          },
        ],
      }),
    );
    const absent = typeIn(id('9'), 'Phantom');
    const json = await show(packages, typeIn(A1, 'Both', absent, 'u16'), 1, 1, 7, 0);
    expect(json).toEqual({ two: { one: [7] } });
  });

  it('is found in a system package that has changed under its id', async () => {
    let types = [struct('Old', ['n', 'u8'])];
    const system = `0x${'3'.padStart(64, '0')}`;
    const packages = new CachedPackages(() =>
      Promise.resolve([packageObject({ id: system, modules: [{ name: 'm', types }] })]),
    );
    expect(await show(packages, typeIn(system, 'Old'), 1)).toEqual({ n: 1 });
    types = [...types, struct('New', ['b', 'bool'])];
    expect(await show(packages, typeIn(system, 'New'), 1)).toEqual({ b: true });
  });

  it.each([
    ['its package does not declare it', typeIn(A1, 'Absent')],
    ['it has other type parameters', typeIn(A1, 'Good', 'u8')],
    ['a field names a missing parameter', typeIn(A1, 'OutOfRange')],
    ['a field is of a package without a link', typeIn(A1, 'Unlinked')],
  ])('is unreadable if %s', async (_name, type) => {
    const packages = packagesOf(
      packageObject({
        id: A1,
        modules: [
          {
            name: 'm',
            types: [
              struct('Good', ['n', 'u8']),
              struct('OutOfRange', ['n', 'T0']),
              struct('Unlinked', ['n', `${B1}::m::First`]),
            ],
          },
        ],
      }),
    );
    await expect(new MoveLayouts(packages).of(type)).rejects.toThrow(UnreadableMove);
  });
});

describe('a type that is too large', () => {
  const LEVELS = 40;
  const doubled = Array.from({ length: LEVELS }, (_, level) =>
    struct(`S${level}`, ['a', `${A1}::m::S${level + 1}`], ['b', `${A1}::m::S${level + 1}`]),
  );
  const nested = Array.from({ length: 400 }, (_, level) =>
    struct(`D${level}`, ['a', `${A1}::m::D${level + 1}`]),
  );
  const multiplied = Array.from({ length: LEVELS }, (_, level) => ({
    name: `G${level}`,
    typeParameters: 1,
    fields: [['f', `${A1}::m::G${level + 1}<${A1}::m::P<T0,T0>>`] as [string, string]],
  }));
  const packages = packagesOf(
    packageObject({
      id: A1,
      modules: [
        {
          name: 'm',
          types: [
            ...doubled,
            struct(`S${LEVELS}`, ['n', 'u8']),
            ...nested,
            struct('D400', ['n', 'u8']),
            ...multiplied,
            { name: `G${LEVELS}`, typeParameters: 1, fields: [['n', 'u8']] },
            { name: 'P', typeParameters: 2, fields: [['n', 'u8']] },
            struct('Endless', ['r', `vector<${A1}::m::Endless>`]),
            {
              name: 'Growing',
              typeParameters: 1,
              fields: [['r', `${A1}::m::Growing<vector<T0>>`]],
            },
          ],
        },
      ],
    }),
  );

  it.each([
    ['doubles its parts with every level', typeIn(A1, 'S0')],
    ['is nested too deeply', typeIn(A1, 'D0')],
    ['doubles its type arguments with every level', typeIn(A1, 'G0', 'u8')],
    ['contains itself', typeIn(A1, 'Endless')],
    ['contains itself with larger arguments', typeIn(A1, 'Growing', 'u8')],
  ])('has no layout if it %s', async (_name, type) => {
    expect(await new MoveLayouts(packages).of(type)).toBeNull();
  });

  it('has one while it has at most as many parts as the ledger allows', async () => {
    expect(await new MoveLayouts(packages).of(typeIn(A1, `S${LEVELS - 8}`))).not.toBeNull();
  });
});

describe('layouts that are asked for at once', () => {
  const types = Array.from({ length: 60 }, (_, index) => index.toString(16).padStart(64, 'e'));
  const objects = types.map((hex) =>
    packageObject({ id: `0x${hex}`, modules: [{ name: 'm', types: [struct('S', ['n', 'u8'])] }] }),
  );

  it('share the reads of their packages, in calls of fifty', async () => {
    const calls: number[] = [];
    const packages = new CachedPackages((ids) => {
      calls.push(ids.length);
      const found = ids.map((one) => objects[types.indexOf(one.slice(2))]!);
      return Promise.resolve(found);
    });
    const layouts = new MoveLayouts(packages);
    const all = () =>
      Promise.all([...types, ...types].map((hex) => layouts.of(typeIn(`0x${hex}`, 'S'))));
    expect(new Set(await all()).size).toBe(60);
    await all();
    expect(calls).toEqual([50, 10]);
  });

  it('fail with the node, and are read again the next time', async () => {
    let isDown = true;
    const packages = new CachedPackages((ids) =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(ids.map(() => objects[0]!)),
    );
    const layouts = new MoveLayouts(packages);
    const type = typeIn(`0x${types[0]}`, 'S');
    const results = await Promise.allSettled([layouts.of(type), layouts.of(type)]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isDown = false;
    expect(await layouts.of(type)).not.toBeNull();
  });

  it('do not take another package for the one that was asked for', async () => {
    const packages = new CachedPackages((ids) => Promise.resolve(ids.map(() => objects[1]!)));
    const layouts = new MoveLayouts(packages);
    await expect(layouts.of(typeIn(`0x${types[0]}`, 'S'))).rejects.toThrow(UnreadableMove);
  });
});
