import { readNumberOption, readProgramOptions } from '@forecourt/testing/options';
import { measureOutage } from './measure-outage.js';
import { findOutageViolations, reportOutage } from './report-outage.js';

const HELP = `npm run soak -- outage [--minutes <n>] [--rate <n>] [--entries <n>]

Stops the PostgreSQL of history while transactions are sponsored. Measures how long sponsoring takes before,
meanwhile and afterwards, and after which time the alerts fire, and compares what history has at the end with
what was sponsored. Needs Prometheus. Ends with 1 if a transaction failed, sponsoring was slower, an alert did
not fire within an outage of ten minutes or more, or a record is missing or there twice.

  --minutes  how long the database is away (60)
  --rate     transactions a second (5)
  --entries  entries that are appended to the stream besides (1400000): those of an hour as busy as npm run bench`;

const values = readProgramOptions(HELP, {
  minutes: { type: 'string', default: '60' },
  rate: { type: 'string', default: '5' },
  entries: { type: 'string', default: '1400000' },
});
const say = (text: string) =>
  void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

const minutes = readNumberOption('minutes', values.minutes);
const ratePerSecond = readNumberOption('rate', values.rate);
const entries = readNumberOption('entries', values.entries);
const command = `npm run soak -- outage --minutes ${minutes} --rate ${ratePerSecond} --entries ${entries}`;
say(command);
const report = await measureOutage({ minutes, ratePerSecond, entries, say });
process.stdout.write(reportOutage(report, command));
process.exitCode = findOutageViolations(report).length === 0 ? 0 : 1;
