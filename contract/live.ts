import { z } from 'zod'
import { Answer, AnswerId, AnswerKind } from './answers.ts'
import { FlagChangeId, GlassFlag, GlassPlace } from './glass.ts'
import { EpochMs, InvitationId, SessionId, TeamId, UserId } from './ids.ts'
import { Invitation, InvitedPerson } from './invitations.ts'
import { LapsChange } from './laps.ts'
import { Message, Receipt, ReceiptStage } from './messages.ts'
import { TeamEvent } from './notifications.ts'
import { PhoneState } from './phone.ts'
import { Fix } from './positions.ts'
import { RefusalCode } from './refusal.ts'
import { Session } from './sessions.ts'
import { maxWatching } from './shared/liveRules.ts'
import { Member, Team } from './teams.ts'
import { Me } from './users.ts'

/** A room of subscribers to the same events: `user:ID`, `team:ID` or `session:ID`. */
export const RoomName = z.templateLiteral([
  z.enum(['user', 'team', 'session']),
  ':',
  // Lower case only: the same id in other letters would be another room.
  z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
])
export type RoomName = `${'user' | 'team' | 'session'}:${string}`

/**
 * A position report of the client. It is by far the most frequent frame, so its keys are short: la/lo =
 * latitude/longitude in degrees, v = speed in km/h, ac = accuracy in metres, h = heading in degrees, ar = `at`
 * is the time of arrival. The phone omits h if it is null.
 */
export const FixUp = z.object({
  t: z.literal('fix'),
  at: EpochMs,
  la: Fix.shape.latitude,
  lo: Fix.shape.longitude,
  v: Fix.shape.speedKmh,
  ac: Fix.shape.accuracyM,
  h: Fix.shape.headingDeg,
  ar: Fix.shape.atArrival,
})
export type FixUp = z.infer<typeof FixUp>

export const Up = z.discriminatedUnion('t', [
  /**
   * First frame of a connection. `page` is a random id of the client's page, the same on each of its
   * connections, so that the server's log shows which connection replaced which.
   */
  z.object({
    t: z.literal('hello'),
    protocol: z.int(),
    page: z
      .string()
      .regex(/^[\w.-]{1,40}$/)
      .optional(),
  }),
  /**
   * Heartbeat. `at` is the client's own clock; the server echoes it, so that the client can measure the
   * round trip.
   */
  z.object({ t: z.literal('heartbeat'), at: z.number() }),
  z.object({ t: z.literal('subscribe'), room: RoomName }),
  z.object({ t: z.literal('unsubscribe'), room: RoomName }),
  /** Makes this connection the phone in the car: fixes and receipts that follow belong to this session. */
  z.object({
    t: z.literal('drive'),
    session: SessionId,
    /**
     * When the driver opened this drive screen, by the server's clock. The newest one counts, older ones
     * are refused. Absent for a device that only reports, such as a logger.
     */
    since: EpochMs.optional(),
  }),
  z.object({ t: z.literal('stop-driving') }),
  FixUp,
  /** Reports that the driver's phone received, showed or acknowledged this message version at this time. */
  z.object({
    t: z.literal('receipt'),
    version: z
      .int()
      .min(1)
      .max(2 ** 31 - 1),
    stage: ReceiptStage,
    at: EpochMs,
  }),
  /**
   * Reports the driver's answer to the message of this version, or without a question. 0: before the first
   * message.
   */
  z.object({
    t: z.literal('answer'),
    id: AnswerId,
    kind: AnswerKind,
    version: z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
    at: EpochMs,
  }),
  /** Reports that the driver's phone painted an official flag at this time. */
  FlagChangeId.extend({ t: z.literal('flag-shown'), at: EpochMs }),
  /** Reports the state of the driver's phone: once at the start, and on every change. */
  z.object({ t: z.literal('phone'), phone: PhoneState }),
  /** Requests a test flash: it is published to the whole room, the phone included. */
  z.object({ t: z.literal('test') }),
  /** Confirms that this screen of the team showed the driver's test flash. */
  z.object({ t: z.literal('test-seen'), session: SessionId }),
])
export type Up = z.infer<typeof Up>
export type UpOf<T extends Up['t']> = Extract<Up, { t: T }>

/** The users with an open screen of a team or a session, longest first; the phone in the car is not counted. */
const Watching = z.array(UserId).max(maxWatching)

/** The state of a room at the moment of subscribing. Events follow. */
export const Snapshot = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('user'),
    teams: z.array(Team),
    invitations: z.array(Invitation),
  }),
  z.object({
    of: z.literal('team'),
    members: z.array(Member),
    invited: z.array(InvitedPerson),
    sessions: z.array(Session),
    /** Active sessions whose phone is silent, with the time of its last contact. */
    silent: z.record(SessionId, EpochMs).optional(),
    watching: Watching,
  }),
  z.object({ of: z.literal('session'), session: Session, watching: Watching }),
])
export type Snapshot = z.infer<typeof Snapshot>

/** The fix as the team receives it: s = session, c = server's time of contact; the rest as in FixUp. */
export const FixDown = FixUp.extend({ s: SessionId, c: EpochMs })
export type FixDown = z.infer<typeof FixDown>

/** Frames from the server. `now` is the server's clock. */
export const Down = z.discriminatedUnion('t', [
  z.object({ t: z.literal('welcome'), protocol: z.int(), now: EpochMs, user: UserId }),
  /**
   * Heartbeat response. `at` echoes the client's; `versions` has the newest message version of each session
   * the client is subscribed to or drives; `answers` the number of the newest answer, where there is one; `wrote`
   * is the time of the newest fix of this connection that is stored, together with all before it.
   */
  z.object({
    t: z.literal('heartbeat'),
    at: z.number(),
    now: EpochMs,
    versions: z.record(SessionId, z.int()),
    answers: z.record(SessionId, z.int()).optional(),
    wrote: EpochMs.optional(),
  }),
  z.object({
    t: z.literal('snapshot'),
    room: RoomName,
    now: EpochMs,
    snapshot: Snapshot,
    /**
     * Only in the response to `drive`: from here on this connection drives. `since` as in the request, or
     * null.
     */
    drive: z.object({ since: EpochMs.nullable() }).optional(),
  }),
  FixDown,
  z.object({ t: z.literal('message'), session: SessionId, message: Message }),
  z.object({ t: z.literal('receipt'), session: SessionId, version: z.int(), receipt: Receipt }),
  /** The driver answered. Published again when the phone repeats an answer. */
  z.object({ t: z.literal('answer'), session: SessionId, answer: Answer }),
  /**
   * The official timing that the glass of the car shows, up to the batch `number` of its feed. Null: the team does not
   * show it, or it is not known. Published again with new lines, so one may be lost.
   */
  z.object({
    t: z.literal('official'),
    session: SessionId,
    feed: z.uuid(),
    number: z.int(),
    flag: GlassFlag.nullable(),
    place: GlassPlace.nullable(),
  }),
  /** The phone painted an official flag. Published again when the phone repeats its report. */
  FlagChangeId.extend({
    t: z.literal('flag-shown'),
    session: SessionId,
    shownAt: EpochMs,
  }),
  z.object({ t: z.literal('phone'), session: SessionId, phone: PhoneState }),
  /** `at` is the server's time of the driver's test flash. */
  z.object({ t: z.literal('test'), session: SessionId, at: EpochMs }),
  /** A screen of the team showed the test flash; published once per node. */
  z.object({ t: z.literal('test-seen'), session: SessionId }),
  /** A newer drive screen, opened at `since`, replaces the others of this session. */
  z.object({ t: z.literal('driving'), session: SessionId, since: EpochMs }),
  /** Other users watch the room of a team or a session. */
  z.object({ t: z.literal('watching'), room: RoomName, users: Watching }),
  z.object({ t: z.literal('team-added'), team: Team }),
  /** The own name or e-mail address changed. */
  z.object({ t: z.literal('user-changed'), user: Me }),
  /** The name, the owner, a role, a file or a member's name of the team changed. Sent to each member. */
  z.object({ t: z.literal('team-changed'), team: TeamId }),
  z.object({ t: z.literal('team-removed'), team: TeamId }),
  /** Sent to the invited person. */
  z.object({ t: z.literal('invitation-added'), invitation: Invitation }),
  /** The invitation was accepted, declined or withdrawn. */
  z.object({ t: z.literal('invitation-removed'), invitation: InvitationId }),
  /** Sent to the team: somebody was invited, or invited again. */
  z.object({ t: z.literal('invited-added'), team: TeamId, invited: InvitedPerson }),
  z.object({ t: z.literal('invited-removed'), team: TeamId, invited: InvitationId }),
  z.object({ t: z.literal('member-added'), team: TeamId, member: Member }),
  /** The member has another role, name or e-mail address. */
  z.object({ t: z.literal('member-changed'), team: TeamId, member: Member }),
  z.object({ t: z.literal('member-removed'), team: TeamId, member: UserId }),
  /** Also sent to the session's own room. */
  z.object({ t: z.literal('session-started'), session: Session }),
  /** A property of the session changed, such as the expiry of its messages. */
  z.object({ t: z.literal('session-changed'), session: Session }),
  /** Laps of the session were completed, corrected, marked or deleted, or all laps of an ended session are known. */
  z.object({
    t: z.literal('laps-changed'),
    session: SessionId,
    /** Without it, or if changes in between are missing, clients request the whole `laps.list`. */
    change: LapsChange.optional(),
  }),
  /** Cars or drivers of the team changed; in the room of a session: what `carRaces.ofSession` returns. */
  z.object({ t: z.literal('race-changed'), team: TeamId, session: SessionId.optional() }),
  /** A circuit of the team changed; in the room of a session: that session has another version of one. */
  z.object({
    t: z.literal('circuits-changed'),
    team: TeamId,
    session: SessionId.optional(),
  }),
  /** The phone of an active session has been silent since its last contact; null: it is not any more. */
  z.object({
    t: z.literal('silent'),
    team: TeamId,
    session: SessionId,
    since: EpochMs.nullable(),
  }),
  /** Something happened of which the team is notified. */
  z.object({ t: z.literal('team-event'), event: TeamEvent }),
  z.object({ t: z.literal('session-ended'), team: TeamId, session: SessionId }),
  /** A client frame was refused; the connection stays open. `re` is the frame's `t`, `room` its room. */
  z.object({
    t: z.literal('refused'),
    re: z.string(),
    code: RefusalCode,
    message: z.string(),
    room: RoomName.optional(),
    /** The refused receipt, if `re` is one. */
    receipt: z.object({ version: z.int(), stage: ReceiptStage }).optional(),
    /** Delay before a retry makes sense. */
    retryAfterSeconds: z.number().optional(),
  }),
])
export type Down = z.infer<typeof Down>
export type DownOf<T extends Down['t']> = Extract<Down, { t: T }>
