export { InvalidFile, readInstant, readOneOf, readYaml, YamlMap, YamlValue } from './read-yaml.js';
