import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Scope } from '#contract/shared/scopes.ts'
import type { TeamEventKind } from '#contract/teamEvents.ts'
import type { LoginKind } from '#contract/users.ts'
import type { BlobStore } from './blobs/blobStore.ts'
import type { Config } from './config.ts'
import type { Lane } from './db/priorityMutex.ts'
import type { Tables } from './db/schema/tables.ts'
import type { Live } from './live/publish/live.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Metrics } from './metrics.ts'
import type { RateLimits } from './rateLimit/rateLimits.ts'
import type { Recorder } from './telemetry/recorder.ts'
import type { RecordFix } from './telemetry/recordFix.ts'

/** The login that makes a request. */
export interface Caller {
  userId: UserId
  loginId: string
  kind: LoginKind
  /** True without an e-mail address. */
  isAnonymous: boolean
  /** Rights of the token of a device, such as a GPS logger; null for a browser. */
  scopes: readonly Scope[] | null
  /** True if the login was made with a passkey, or has added one. */
  withPasskey: boolean
  expiresAt: EpochMs
}

/** Something that happened in a session, of which its team is notified. */
export interface SessionEvent {
  sessionId: SessionId
  kind: TeamEventKind
  /** Distinguishes two events of one kind: the same number on every node that notices the event. */
  occurrence: number
  /** When it happened; now by default. */
  at?: EpochMs
  /** The login whose action it was: its browser is not notified. */
  byLogin?: string
}

/** Records the events of sessions: `TeamEvents` of `notifications`. */
export interface EventRecorder {
  /**
   * Records an event once, whichever nodes notice it, and notifies the team. Call it after the commit. Returns at
   * once; failures are logged.
   */
  record(event: SessionEvent): void
  /** Notifies the members who may answer a request to join. Call it after the commit. Returns at once. */
  recordJoinRequest(waiting: { teamId: TeamId; userId: UserId }): void
}

/** Keeps the laps of sessions up to date: `LapKeeper` of `laps`. */
export interface LapUpdates {
  /**
   * Schedules a session. `oldestMs` is the time of its oldest new position. Without it, or if it is not newer than the
   * timed positions, the session is timed from the start.
   */
  update(sessionId: SessionId, oldestMs?: EpochMs): void
  /** Schedules a session whose stored laps do not match its positions. */
  timeMissing(sessionId: SessionId): void
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
  recordFix: RecordFix
  laps: LapUpdates
  events: EventRecorder
  metrics: Metrics
  /** Rate limits of this node. */
  rateLimits: RateLimits
  /** Store of the files' contents. */
  blobs: BlobStore
  /** Returns the login that sent this request, or null. */
  authenticate(request: FastifyRequest, lane?: Lane): Promise<Caller | null>
  /** Public URL of the app, without a trailing slash. Known once the server listens. */
  publicUrl(): string
}
