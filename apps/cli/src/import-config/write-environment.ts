import type { ImportedSettings } from './import-settings.js';

/** A file of environment variables, with the remarks as comments. Values are quoted as shells and Compose read them. */
export function writeEnvironment({ variables, remarks }: ImportedSettings): string {
  const lines = [...variables].map(([name, value]) => `${name}=${quote(value)}`);
  return `${[...remarks.map((remark) => `# ${remark}`), ...lines].join('\n')}\n`;
}

function quote(value: string): string {
  return /^[\w.:/@+=,-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
