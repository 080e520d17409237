export { InvalidFile } from './invalid-file.js';
export { readInstant } from './read-instant.js';
export { readOneOf } from './read-one-of.js';
export { readYaml } from './read-yaml.js';
export { YamlMap, YamlValue } from './yaml-value.js';
