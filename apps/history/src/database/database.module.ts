import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type Indicator, type Logger, LOGGER } from '@forecourt/runtime/service';
import { HISTORY_CONFIG, type HistoryConfig } from '../history-config.js';
import { Database } from './database.js';
import { FairAnswers } from './fair-answers.js';
import { Partitions } from './partitions.js';

/** The database, for every module of the service. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(config: HistoryConfig): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [
        { provide: HISTORY_CONFIG, useValue: config },
        {
          provide: Database,
          inject: [LOGGER],
          useFactory: (logger: Logger) =>
            new Database(config, ({ message }) =>
              logger.warn({ error: message }, 'A connection to PostgreSQL has broken'),
            ),
        },
        {
          provide: FairAnswers,
          inject: [Database],
          useFactory: ({ readers }: Database) => new FairAnswers(readers.options.max),
        },
        Partitions,
      ],
      exports: [HISTORY_CONFIG, Database, FairAnswers, Partitions],
    };
  }
}

/** Succeeds when PostgreSQL answers. */
export function databaseIndicator({ pool }: Database): Indicator {
  return { name: 'database', check: async () => void (await pool.query('SELECT 1')) };
}
