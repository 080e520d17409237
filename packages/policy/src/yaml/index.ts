export { InvalidFile, YamlMap, YamlValue } from './yaml-value.js';
export { readInstant, readOneOf, readYaml } from './read-yaml.js';
