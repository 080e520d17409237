export { FairShares, type Hold } from '@forecourt/resilience';
