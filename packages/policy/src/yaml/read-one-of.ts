/** A reader for `YamlValue.parse` that accepts one of the choices. It throws `Error` naming them. */
export function readOneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}
