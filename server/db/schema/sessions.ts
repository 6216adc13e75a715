import type { Generated, JSONColumnType } from 'kysely'
import type { Answer, AnswerKind } from '#contract/answers.ts'
import type { MessageType } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { DataLinkSwitch } from '#contract/sessions.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import type { LapReference } from '#contract/shared/lapKinds.ts'
import type { WordColour } from '#contract/shared/ownWords.ts'
import type { StoredPlace } from './circuits.ts'
import type { OptionalViewOf, ReadOnly, ViewOf } from './readOnly.ts'

type SessionStatus = 'Active' | 'Complete'

type ShownSession = Omit<
  SessionTables['sessions'],
  | 'driving_since'
  | 'driving_login_id'
  | 'positions_deleted_at'
  | 'circuit_id'
  | 'circuit_version'
  | 'race_id'
  | 'driver_id'
  | 'recording_hash'
  | 'recorded_line'
  | 'auto_pit_by'
  | 'auto_pit_sent_at'
  | 'superseded_commands'
  | 'glass'
>

export interface SessionTables {
  sessions: {
    id: Generated<string>
    team_id: string
    user_id: string
    name: string
    status: Generated<SessionStatus>
    message_type: MessageType | null
    message_version: Generated<number>
    answer_number: Generated<number>
    problem_number: Generated<number>
    date_started: Generated<Date>
    date_ended: Date | null
    expire_after_s: number | null
    phone: JSONColumnType<PhoneState> | null
    driving_since: Generated<Date | null>
    /** The login of the phone in the car. */
    driving_login_id: Generated<string | null>
    positions_deleted_at: Date | null
    lap_timing: Generated<boolean>
    data_link: Generated<boolean>
    lap_reference: Generated<LapReference>
    target_lap_ms: number | null
    circuit_id: string | null
    circuit_version: number | null
    car_id: Generated<string | null>
    race_id: Generated<string | null>
    driver_id: Generated<string | null>
    /** SHA-256 of the recording that the session was imported from. */
    recording_hash: Generated<Buffer | null>
    /** Number of positions of the recording; null if the session was driven. */
    recorded_positions: Generated<number | null>
    /** The start/finish line that the recording has. */
    recorded_line: JSONColumnType<StoredPlace> | null
    /** The person who turned on that the plan sends PIT. */
    auto_pit_by: Generated<string | null>
    auto_pit_sent_at: Generated<Date | null>
    /** Superseded commands, which store nothing when they arrive late; newest first. */
    superseded_commands: Generated<string[]>
    /** The parts of official timing that the glass shows. */
    glass: Generated<GlassPart[]>
    /** True for a practice car. */
    practice: Generated<boolean>
  }

  glass_changes: {
    session_id: string
    at: Date
    parts: GlassPart[]
    changed_by: string | null
  }

  /** An official flag that was sent to the glass. */
  glass_flags: {
    session_id: string
    feed_id: string
    change: number
    flag: string
    at: Date
    shown_at: Generated<Date | null>
  }

  /** One row for each session, from its start. */
  newest_fixes: {
    session_id: string
    speed: number | null
    latitude: number | null
    longitude: number | null
    last_driver_contact: Date | null
  }

  messages: {
    session_id: string
    version: number
    command_id: string
    type: MessageType | null
    colour: Generated<WordColour | null>
    ask: Generated<boolean>
    /** Null for the message that cleared the screen after a restore, or an obeyed order. */
    sent_by: string | null
    pressed_at: Date
    sent_at: Date
    reached_at: Date | null
    shown_at: Date | null
    copied_at: Date | null
    expires_at: Date | null
    by_plan: Generated<boolean>
    carried_over: Generated<boolean>
    obeyed: Generated<boolean>
  }

  answers: {
    session_id: string
    /** Chosen by the phone. */
    id: string
    number: number
    kind: AnswerKind
    version: number
    answered_at: Date
    received_at: Date
    /** The member who has got a problem. */
    got_by: Generated<string | null>
    got_at: Generated<Date | null>
    got_number: Generated<number | null>
  }

  answers_view: {
    session_id: ReadOnly<string>
    number: ReadOnly<number>
    version: ReadOnly<number>
    answer: ReadOnly<Answer>
  }

  positions: {
    session_id: string
    at: Date
    latitude: number | null
    longitude: number | null
    speed: number | null
    accuracy_m: number | null
    heading_deg: number | null
    /** True if `at` is when the reading arrived at the phone or server, else null. */
    at_arrival: boolean | null
  }

  position_deletions: {
    session_id: string
    up_to: Date
  }

  data_link_breaks: {
    session_id: string
    off_at: Date
    /** Null while the data link is off. */
    on_at: Generated<Date | null>
    /** The member who switched it off; null if the session began with the setting of its car. */
    off_by: Generated<string | null>
    /** The member who switched it on again; null if that is not known. */
    on_by: Generated<string | null>
  }

  /** A session with its newest fix, and its newest message with the answers to it. */
  sessions_view: ViewOf<ShownSession> &
    ViewOf<Omit<SessionTables['newest_fixes'], 'session_id'>> &
    OptionalViewOf<Omit<SessionTables['messages'], 'session_id' | 'version' | 'type'>> & {
      car_number: ReadOnly<string | null>
      current_driver_id: ReadOnly<string | null>
      current_driver_name: ReadOnly<string | null>
      current_driver_user_id: ReadOnly<string | null>
      driver_first_name: ReadOnly<string | null>
      driver_last_name: ReadOnly<string | null>
      driver_email: ReadOnly<string | null>
      answer: ReadOnly<Answer | null>
      problem: ReadOnly<Answer | null>
      reply: ReadOnly<Answer | null>
      data_link_off: ReadOnly<DataLinkSwitch | null>
      data_link_on: ReadOnly<DataLinkSwitch | null>
    }
}
