export { InvalidFile } from './yaml-value.js';
export { readInstant } from './read-yaml.js';
export { readOneOf } from './read-yaml.js';
export { readYaml } from './read-yaml.js';
export { YamlMap, YamlValue } from './yaml-value.js';
