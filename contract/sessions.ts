import { z } from 'zod'
import { Answer } from './answers.ts'
import { command, read } from './endpoint.ts'
import { CarId, DriverId, EpochMs, QueryEpochMs, SessionId, TeamId, UserId } from './ids.ts'
import { Message } from './messages.ts'
import { PhoneState } from './phone.ts'
import { Fix } from './positions.ts'
import { maxFixesPerCall } from './shared/bounds.ts'
import { lapReferences, longestTargetMs, shortestTargetMs } from './shared/lapKinds.ts'
import { longestExpiryS, shortestExpiryS } from './shared/messageExpiry.ts'
import { LineOfText } from './text.ts'
import { Person } from './users.ts'

export const SessionName = LineOfText

const LapReference = z.enum(lapReferences)

/** A driver of the team's roster, in the car; with the member who it is. */
const CurrentDriver = z.object({ id: DriverId, name: z.string(), userId: UserId.nullable() })

/** When the data link was switched off or on, and the first name of the member who did it; null if unknown. */
const DataLinkSwitch = z.object({ at: EpochMs, by: z.string().nullable() })
export type DataLinkSwitch = z.infer<typeof DataLinkSwitch>

/** A row of the log: `by` has the full name. */
const LoggedDataLink = DataLinkSwitch.extend({ dataLink: z.boolean() })
export type LoggedDataLink = z.infer<typeof LoggedDataLink>

/** A race session with the last known state of its car. */
export const Session = z.object({
  id: SessionId,
  teamId: TeamId,
  name: z.string(),
  status: z.enum(['Active', 'Complete']),
  /** The person who started it, holds the phone and may end it. */
  driver: Person,
  /** Null if it names no car. */
  car: z.object({ id: CarId, number: z.string() }).nullable(),
  /** The current driver, by the last stint; null: `driver`. */
  currentDriver: CurrentDriver.nullable(),
  startedAt: EpochMs,
  message: Message,
  /** The driver's newest answer; absent before the first one. Later ones follow as events. */
  answer: Answer.optional(),
  /** The newest answer that reported a problem or took it back. */
  problem: Answer.optional(),
  /** The newest Yes or No to the current message, which a report may have followed. */
  reply: Answer.optional(),
  speedKmh: z.int().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** The server's time of the last frame from the driver's phone. */
  lastDriverContactAt: EpochMs.nullable(),
  /** Null until the phone has reported its state. */
  phone: PhoneState.nullable(),
  /** Seconds after which a message that was not shown expires; null if it stays until it is replaced or cleared. */
  expireAfterS: z.int().nullable(),
  /** False if laps are not timed, stored or shown. */
  lapTiming: z.boolean(),
  /** False if the series forbids a data link: no position, speed or message goes either way. */
  dataLink: z.boolean(),
  /** Absent while the data link is on. */
  dataLinkOff: DataLinkSwitch.optional(),
  /** Absent while the data link is off, and if it was never switched on. */
  dataLinkOn: DataLinkSwitch.optional(),
  /** The reference for the driver's lap on the drive screen. */
  lapReference: LapReference,
  /** The target for a lap, needed only by a comparison with it; null without one. */
  targetLapMs: z.int().nullable(),
  /** True if the session was imported from a recording. */
  imported: z.boolean(),
  /** True for a practice car, which is simulated; absent for a real one. */
  practice: z.literal(true).optional(),
})
export type Session = z.infer<typeof Session>

/** An ended session, as listed to find its log. */
export const EndedSession = Session.pick({
  id: true,
  name: true,
  driver: true,
  car: true,
  currentDriver: true,
  startedAt: true,
}).extend({ endedAt: EpochMs })
export type EndedSession = z.infer<typeof EndedSession>

export const ListedSession = EndedSession.extend({
  /** Null while it is active. */
  endedAt: EpochMs.nullable(),
  /** Name of its circuit; null if it is not known or has none. */
  circuit: z.string().nullable(),
  /** Number of whole laps, with those into and out of the pits; 0 if lap timing is off. */
  laps: z.int(),
  /** The fastest lap that is compared; null without one, or if GPS is too poor for lap times. */
  bestLapMs: z.int().nullable(),
  /** True if it was imported from a recording. */
  imported: z.boolean(),
})
export type ListedSession = z.infer<typeof ListedSession>

/**
 * Why a fix is never stored: taken outside the session's time, in the future or too long ago; taken before
 * the driver deleted the positions; while the data link was off; beyond ten in its second; without a position.
 */
export const FixRefusal = z.enum([
  'outside-session',
  'future',
  'too-old',
  'deleted',
  'data-link-off',
  'too-many',
  'no-position',
])
export type FixRefusal = z.infer<typeof FixRefusal>

const ofSession = z.object({ sessionId: SessionId })

/** Number of positions deleted so far, and whether more are being deleted in the background. */
export const DeletedPositions = z.object({ deleted: z.int(), continues: z.boolean() })

export const sessions = {
  start: command({
    auth: 'signed-in',
    limit: 'rare',
    scopes: ['drive'],
    summary: 'Starts a race session with the caller as the driver.',
    input: z.object({
      teamId: TeamId,
      name: SessionName,
      lapTiming: z.boolean().default(true),
      dataLink: z.boolean().default(true),
      carId: CarId.nullable().default(null),
      /** Null: the caller drives. */
      driverId: DriverId.nullable().default(null),
      /** True for a spare phone, without `driverId`: the current driver keeps driving when it takes over. */
      keepsDriver: z.boolean().default(false),
    }),
    output: Session,
  }),
  startPractice: command({
    auth: 'signed-in',
    limit: 'rare',
    summary:
      "Starts the team's practice car, which the caller's browser simulates. It has no laps, race, entries, notifications or exports, is in no list of sessions, and ends by itself.",
    input: z.object({ teamId: TeamId }),
    output: Session,
  }),
  practice: read({
    auth: 'any-login',
    summary: "The team's practice car; null while none drives.",
    input: z.object({ teamId: TeamId }),
    output: Session.nullable(),
  }),
  get: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: 'One session.',
    input: ofSession,
    output: Session,
  }),
  listActive: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: "The team's active sessions, newest first.",
    input: z.object({ teamId: TeamId }),
    output: z.array(Session),
  }),
  listEnded: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: "The last ten of the team's sessions that have ended, the newest end first.",
    input: z.object({ teamId: TeamId }),
    output: z.array(EndedSession),
  }),
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      "A page of 100 of the team's sessions, active and ended, the newest start first. All given conditions hold.",
    input: z.object({
      teamId: TeamId,
      /** Only sessions after this one in the list. Without it, the newest. */
      after: SessionId.optional(),
      /** Each of these words is in the name, the driver's name or e-mail address, or the circuit. Without case and accents. */
      search: LineOfText.optional(),
      /** Started at this time or later. */
      from: QueryEpochMs.optional(),
      /** Started before this time. */
      before: QueryEpochMs.optional(),
      /** On the circuit of this session, and not this session. */
      sameCircuitAs: SessionId.optional(),
    }),
    output: z.object({
      sessions: z.array(ListedSession),
      /** `after` of the next page; null on the last one. */
      next: SessionId.nullable(),
    }),
  }),
  rename: command({
    auth: 'signed-in',
    summary: 'Corrects the name of a session, also after its end.',
    input: ofSession.extend({ name: SessionName }),
    output: Session,
  }),
  setLapTiming: command({
    auth: 'signed-in',
    summary: 'Turns lap timing of a session on or off, also after its end. Off deletes its laps.',
    input: ofSession.extend({ lapTiming: z.boolean() }),
    output: Session,
  }),
  setDataLink: command({
    auth: 'signed-in',
    summary:
      'Turns the data link of an active session off or on. While it is off, no position, speed or message goes either way. Off clears the message.',
    input: ofSession.extend({ dataLink: z.boolean() }),
    output: Session,
  }),
  dataLinkLog: read({
    auth: 'any-login',
    summary:
      'When and by whom the data link of a session was switched off and on; in order of time.',
    input: ofSession,
    output: z.array(LoggedDataLink),
  }),
  setLapReference: command({
    auth: 'signed-in',
    summary:
      "Sets what the driver's lap is compared with: the average or the best lap of the session, or a target. Any member but a viewer may.",
    input: ofSession
      .extend({
        lapReference: LapReference,
        targetLapMs: z.int().min(shortestTargetMs).max(longestTargetMs).nullable(),
      })
      .refine(
        ({ lapReference, targetLapMs }) => lapReference !== 'target' || targetLapMs !== null,
        {
          path: ['targetLapMs'],
          message: 'A comparison with a target needs its time.',
        },
      ),
    output: Session,
  }),
  end: command({
    auth: 'signed-in',
    scopes: ['drive'],
    summary:
      'Ends a session: its driver at any time, the owner of the team once the driver has left it, and any member but a viewer once the phone has been silent for 5 minutes. Idempotent.',
    input: ofSession,
    output: Session,
  }),
  storeFixes: command({
    auth: 'signed-in',
    scopes: ['drive'],
    summary:
      "Stores fixes that the driver's phone buffered while it had no connection. Idempotent.",
    input: ofSession.extend({ fixes: z.array(Fix).min(1).max(maxFixesPerCall) }),
    output: z.object({
      /** Number of new fixes. Fixes in neither list were stored before. */
      stored: z.int(),
      /** Fixes that will never be stored, by their times. */
      refused: z.array(z.object({ at: EpochMs, reason: FixRefusal })),
    }),
  }),
  deletePositions: command({
    auth: 'signed-in',
    limit: 'costly',
    summary:
      'Deletes every stored position of a session, and the car’s current position. Only its driver may. Fixes that a phone buffered until then are not stored any more. Laps stay, unless `withLaps` is true.',
    input: ofSession.extend({ withLaps: z.boolean().default(false) }),
    output: DeletedPositions,
  }),
  reportPhoneState: command({
    auth: 'signed-in',
    scopes: ['drive'],
    summary: "Reports the state of the driver's phone, on each change and when the page is closed.",
    input: ofSession.extend({ phone: PhoneState }),
    output: z.object({}),
  }),
  setExpiry: command({
    auth: 'signed-in',
    scopes: ['send'],
    summary:
      'Sets the expiry of messages of this session that are sent from now on; null turns it off.',
    input: ofSession.extend({
      expireAfterS: z.int().min(shortestExpiryS).max(longestExpiryS).nullable(),
    }),
    output: Session,
  }),
}
