import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Scope } from '#contract/shared/scopes.ts'
import type { BlobStore } from './blobs/blobStore.ts'
import type { Config } from './config.ts'
import type { Lane } from './db/priorityMutex.ts'
import type { Tables } from './db/schema/tables.ts'
import type { LapKeeper } from './laps/lapKeeper.ts'
import type { Live } from './live/publish/live.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics.ts'
import type { TeamEvents } from './notifications/teamEvents.ts'
import type { Recorder } from './telemetry/recorder.ts'

/** The login that makes a request. */
export interface Caller {
  userId: UserId
  loginId: string
  isAnonymous: boolean
  /** Rights of the token of a device, such as a GPS logger; null for a browser. */
  scopes: readonly Scope[] | null
  /** True if the login was made with a passkey, or has added one. */
  withPasskey: boolean
  expiresAt: EpochMs
}

/** The server's shared services; app.ts assembles them. */
export interface AppContext {
  config: Config
  log: Log
  clock: Clock
  db: Kysely<Tables>
  /** Only for messages to the driver and their receipts: see `Database.commandDb`. */
  commandDb: Kysely<Tables>
  /** For reads of calls and of frequent jobs: see `Database.readDb`. */
  readDb: Kysely<Tables>
  mailer: Mailer
  live: Live
  recorder: Recorder
  laps: LapKeeper
  /** Records events of sessions, and notifies their teams. */
  events: TeamEvents
  metrics: Metrics
  /** Store of the files' contents. */
  blobs: BlobStore
  /** Returns the login that sent this request, or null. */
  authenticate(request: FastifyRequest, lane?: Lane): Promise<Caller | null>
  /** Public URL of the app, without a trailing slash. Known once the server listens. */
  publicUrl(): string
}
