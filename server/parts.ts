import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '#contract/clock.ts'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { Config } from './config.ts'
import type { Lane } from './db/priorityMutex.ts'
import type { Tables } from './db/tables.ts'
import type { Live } from './live/live.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics.ts'
import type { BlobStore } from './storage/blobStore.ts'
import type { Recorder } from './telemetry/recorder.ts'

/** Who calls: one login of one user. */
export interface Caller {
  userId: UserId
  loginId: string
  isAnonymous: boolean
  expiresAt: EpochMs
}

/** What the server is made of; app.ts puts it together. */
export interface Parts {
  config: Config
  log: Log
  clock: Clock
  db: Kysely<Tables>
  /** For messages to the driver and their receipts only: see `Database.commandDb`. */
  commandDb: Kysely<Tables>
  mailer: Mailer
  live: Live
  recorder: Recorder
  metrics: Metrics
  /** Where the bytes of files lie. */
  blobs: BlobStore
  /** Who sent this request, if anyone. */
  authenticate(request: FastifyRequest, lane?: Lane): Promise<Caller | null>
  /** Where people open the app, without a slash at its end. Known once the server listens. */
  publicUrl(): string
}
