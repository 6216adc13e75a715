import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { CircuitSource, LineSource } from '#contract/circuits/circuitRules.ts'
import type { CarPlan, RacePause } from '#contract/races/races.ts'
import type { RaceRules } from '#contract/races/rulePacks.ts'
import type { Answer, AnswerKind } from '#contract/sessions/answers.ts'
import type { MessageType } from '#contract/sessions/messages.ts'
import type { PhoneState } from '#contract/sessions/phone.ts'
import type { FileType } from '#contract/shared/fileRules.ts'
import type { WordColour } from '#contract/shared/ownWords.ts'
import type { FillKind } from '#contract/shared/racing/fillRules.ts'
import type { LapKind, LapReference, YellowMessage } from '#contract/shared/racing/lapKinds.ts'
import type { Scope } from '#contract/shared/scopes.ts'
import type { TeamChangeKind } from '#contract/teams/teamChanges.ts'
import type { TeamEventKind } from '#contract/teams/teamEvents.ts'
import type { MemberRole } from '#contract/teams/teams.ts'
import type {
  SupportAuditTable,
  SupportSignalsTable,
  SupportTestsTable,
} from '#support/server/tables.ts'

/** Every table and view, as Kysely sees it. Written by hand beside the migrations. */
export interface Tables {
  users: UsersTable
  logins: LoginsTable
  login_codes: LoginCodesTable
  passkeys: PasskeysTable
  used_passkey_challenges: UsedPasskeyChallengesTable
  server_keys: ServerKeysTable
  rate_counts: RateCountsTable
  teams: TeamsTable
  team_access: TeamAccessTable
  team_readers: TeamReadersView
  team_changes: TeamChangesTable
  televisions: TelevisionsTable
  television_codes: TelevisionCodesTable
  invitations: InvitationsTable
  sessions: SessionsTable
  messages: MessagesTable
  answers: AnswersTable
  positions: PositionsTable
  position_deletions: PositionDeletionsTable
  circuits: CircuitsTable
  circuit_versions: CircuitVersionsTable
  own_words: OwnWordsTable
  cars: CarsTable
  drivers: DriversTable
  stints: StintsTable
  races: RacesTable
  race_cars: RaceCarsTable
  race_plans: RacePlansTable
  rule_packs: RulePacksTable
  fills: FillsTable
  laps: LapsTable
  lap_marks: LapMarksTable
  lap_timings: LapTimingsTable
  data_link_breaks: DataLinkBreaksTable
  pit_visits: PitVisitsTable
  files: FilesTable
  team_events: TeamEventsTable
  push_subscriptions: PushSubscriptionsTable
  notification_choices: NotificationChoicesTable
  blob_leftovers: BlobLeftoversTable
  support_audit: SupportAuditTable
  support_tests: SupportTestsTable
  support_signals: SupportSignalsTable
  answers_view: AnswersView
  sessions_view: SessionsView
  teams_view: TeamsView
  team_users_view: TeamUsersView
}

type SessionStatus = 'Active' | 'Complete'

/** A read-only column of a view. */
type ReadOnly<T> = ColumnType<T, never, never>

export interface UsersTable {
  id: Generated<string>
  email: string | null
  first_name: string | null
  last_name: string | null
  is_anonymous: Generated<boolean>
  signed_in_at: Date | null
  created_at: Generated<Date>
}

export interface LoginsTable {
  id: Generated<string>
  user_id: string
  token_hash: Buffer
  device: string | null
  browser: Generated<string | null>
  system: Generated<string | null>
  created_at: Generated<Date>
  last_used_at: Generated<Date>
  expires_at: Date
  with_passkey: Generated<boolean>
  scopes: Generated<Scope[] | null>
}

export interface LoginCodesTable {
  email: string
  browser_hash: Buffer
  code_hmac: Buffer
  first_name: string | null
  last_name: string | null
  tries: Generated<number>
  created_at: Generated<Date>
  expires_at: Date
}

export interface PasskeysTable {
  credential_id: Buffer
  id: Generated<string>
  user_id: string
  public_key: Buffer
  /** A bigint: both databases return it as text or number. */
  sign_count: string | number
  name: string
  created_at: Date
  last_used_at: Date | null
}

export interface UsedPasskeyChallengesTable {
  challenge_hash: Buffer
  expires_at: Date
}

export interface ServerKeysTable {
  name: string
  key: Buffer
}

export interface RateCountsTable {
  what: string
  window_start: Date
  count: Generated<number>
}

export interface TeamsTable {
  id: Generated<string>
  name: string
  owner_id: string | null
  created_at: Generated<Date>
  deleted_at: Date | null
}

/** A bigint id: both databases return it as text or number. */
export interface TeamChangesTable {
  id: GeneratedAlways<string>
  team_id: string
  at: Date
  kind: TeamChangeKind
  actor_id: string | null
  person_id: string | null
  person_name: string | null
  value_before: string | null
  value_after: string | null
}

/** A view of the memberships of teams that are not deleted. Rows can be inserted, updated and deleted. */
export interface TeamAccessTable {
  user_id: string
  team_id: string
  role: Generated<MemberRole>
  created_at: Generated<Date>
}

/** Everybody who may read a team: its members, and its televisions as viewers. */
export interface TeamReadersView {
  user_id: ReadOnly<string>
  team_id: ReadOnly<string>
  role: ReadOnly<MemberRole>
}

export interface TelevisionsTable {
  user_id: string
  team_id: string
  name: string
  allowed_by: string
  created_at: Date
}

export interface TelevisionCodesTable {
  secret_hash: Buffer
  code: string
  browser: string | null
  system: string | null
  network: string
  created_at: Date
  expires_at: Date
  team_id: string | null
  allowed_by: string | null
  name: string | null
}

export interface InvitationsTable {
  id: Generated<string>
  team_id: string
  email: string
  first_name: string
  last_name: string
  invited_by: string | null
  created_at: Generated<Date>
  expires_at: Date
}

export interface SessionsTable {
  id: Generated<string>
  team_id: string
  user_id: string
  name: string
  status: Generated<SessionStatus>
  message_type: MessageType | null
  message_version: Generated<number>
  answer_number: Generated<number>
  problem_number: Generated<number>
  speed: number | null
  latitude: number | null
  longitude: number | null
  last_driver_contact: Date | null
  date_started: Generated<Date>
  date_ended: Date | null
  expire_after_s: Generated<number>
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
  /** SHA-256 of the recording that the session was imported from. */
  recording_hash: Generated<Buffer | null>
  /** Number of positions of the recording; null if the session was driven. */
  recorded_positions: Generated<number | null>
  /** The person who wished that the plan sends PIT. */
  auto_pit_by: Generated<string | null>
  auto_pit_sent_at: Generated<Date | null>
}

/** The latitude and longitude of a place. */
export type StoredPlace = [latitude: number, longitude: number]

export interface CircuitsTable {
  team_id: string
  id: string
  name: string | null
  source: CircuitSource
  learned_in: string | null
  newest_version: Generated<number>
  created_at: Generated<Date>
  deleted_at: Date | null
}

export interface CircuitVersionsTable {
  team_id: string
  circuit_id: string
  version: number
  change: 'created' | 'refined' | 'line' | 'pit-lane' | 'undone' | 'reversed'
  outline: JSONColumnType<StoredPlace[]>
  line: JSONColumnType<StoredPlace>
  line_source: LineSource
  line_error_m: number | null
  pit_in: JSONColumnType<StoredPlace> | null
  pit_out: JSONColumnType<StoredPlace> | null
  length_m: number
  direction: 'clockwise' | 'anticlockwise'
  laps: number | null
  error_m: number | null
  created_at: Generated<Date>
}

export interface OwnWordsTable {
  id: string
  team_id: string
  /** From 0. */
  position: number
  text: string
  colour: WordColour
}

export interface CarsTable {
  id: string
  team_id: string
  position: number
  number: string
  name: string | null
  class: string | null
  tank_l: number | null
  reserve_l: number | null
  burn_l: number | null
  archived_at: Date | null
}

export interface DriversTable {
  id: string
  team_id: string
  position: number
  name: string
  user_id: string | null
  archived_at: Date | null
}

export interface StintsTable {
  session_id: string
  id: string
  driver_id: string | null
  from_at: Date
  removed_at: Date | null
}

export interface RacesTable {
  id: string
  team_id: string
  name: string
  length_ms: Generated<number | null>
  length_laps: Generated<number | null>
  rules: JSONColumnType<RaceRules>
  created_at: Date
  started_at: Generated<Date | null>
  pauses: ColumnType<RacePause[], string | undefined, string>
  ended_at: Generated<Date | null>
}

export interface RaceCarsTable {
  race_id: string
  car_id: string
}

export interface RacePlansTable {
  race_id: string
  /** Null for sessions that name no car. */
  car_id: string | null
  plan: JSONColumnType<CarPlan>
}

export interface RulePacksTable {
  id: string
  team_id: string
  rules: JSONColumnType<RaceRules>
  created_at: Date
}

export interface FillsTable {
  session_id: string
  id: string
  at: Date
  litres: number
  kind: FillKind
  removed_at: Date | null
  entered_by: Generated<string | null>
}

export interface LapsTable {
  session_id: string
  number: number
  started_at: Date
  time_ms: number
  plus_minus_ms: number
  kind: LapKind
  is_seen: boolean
  yellow_message: YellowMessage | null
  marked: boolean
}

export interface LapMarksTable {
  session_id: string
  at: Date
}

export interface PitVisitsTable {
  session_id: string
  started_at: Date
  ended_at: Date | null
  stopped_at: Date | null
  left_at: Date | null
}

export interface DataLinkBreaksTable {
  session_id: string
  off_at: Date
  /** Null while the data link is off. */
  on_at: Generated<Date | null>
}

export interface LapTimingsTable {
  session_id: string
  gps_poor: Generated<boolean>
  positions: Generated<number>
  computed_up_to: Date | null
  finished: Generated<boolean>
}

export interface PositionDeletionsTable {
  session_id: string
  up_to: Date
}

export interface MessagesTable {
  session_id: string
  version: number
  command_id: string
  type: MessageType | null
  colour: Generated<WordColour | null>
  ask: Generated<boolean>
  sent_by: string
  pressed_at: Date
  sent_at: Date
  reached_at: Date | null
  shown_at: Date | null
  copied_at: Date | null
  expires_at: Date | null
  by_plan: Generated<boolean>
}

export interface AnswersTable {
  session_id: string
  /** Chosen by the phone. */
  id: string
  number: number
  kind: AnswerKind
  version: number
  answered_at: Date
  received_at: Date
}

export interface AnswersView {
  session_id: ReadOnly<string>
  number: ReadOnly<number>
  version: ReadOnly<number>
  answer: ReadOnly<Answer>
}

export interface PositionsTable {
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

export interface FilesTable {
  team_id: string
  name: string
  blob_key: string
  content_type: FileType
  size_bytes: number
  updated_at: Generated<Date>
  member_id: string | null
}

/** A bigint id: both databases return it as text or number. */
export interface TeamEventsTable {
  id: GeneratedAlways<string | number>
  team_id: string
  session_id: string
  kind: TeamEventKind
  occurrence: number
  at: Date
}

export interface PushSubscriptionsTable {
  login_id: string
  endpoint_hash: Buffer
  endpoint: string
  p256dh: string
  auth: string
  created_at: Date
}

export interface NotificationChoicesTable {
  user_id: string
  kinds: TeamEventKind[]
}

export interface BlobLeftoversTable {
  blob_key: string
  remove_after: Generated<Date>
}

export interface SessionsView {
  id: ReadOnly<string>
  team_id: ReadOnly<string>
  user_id: ReadOnly<string>
  name: ReadOnly<string>
  status: ReadOnly<SessionStatus>
  message_type: ReadOnly<MessageType | null>
  message_version: ReadOnly<number>
  answer_number: ReadOnly<number>
  problem_number: ReadOnly<number>
  speed: ReadOnly<number | null>
  latitude: ReadOnly<number | null>
  longitude: ReadOnly<number | null>
  last_driver_contact: ReadOnly<Date | null>
  date_started: ReadOnly<Date>
  date_ended: ReadOnly<Date | null>
  expire_after_s: ReadOnly<number>
  phone: ReadOnly<PhoneState | null>
  lap_timing: ReadOnly<boolean>
  data_link: ReadOnly<boolean>
  lap_reference: ReadOnly<LapReference>
  target_lap_ms: ReadOnly<number | null>
  recorded_positions: ReadOnly<number | null>
  car_id: ReadOnly<string | null>
  car_number: ReadOnly<string | null>
  current_driver_id: ReadOnly<string | null>
  current_driver_name: ReadOnly<string | null>
  current_driver_user_id: ReadOnly<string | null>
  driver_first_name: ReadOnly<string | null>
  driver_last_name: ReadOnly<string | null>
  driver_email: ReadOnly<string | null>
  command_id: ReadOnly<string | null>
  colour: ReadOnly<WordColour | null>
  ask: ReadOnly<boolean | null>
  pressed_at: ReadOnly<Date | null>
  sent_at: ReadOnly<Date | null>
  sent_by: ReadOnly<string | null>
  reached_at: ReadOnly<Date | null>
  shown_at: ReadOnly<Date | null>
  copied_at: ReadOnly<Date | null>
  expires_at: ReadOnly<Date | null>
  answer: ReadOnly<Answer | null>
  problem: ReadOnly<Answer | null>
}

export interface TeamsView {
  id: ReadOnly<string>
  name: ReadOnly<string>
  owner_id: ReadOnly<string | null>
  user_id: ReadOnly<string>
  role: ReadOnly<MemberRole>
}

export interface TeamUsersView {
  team_id: ReadOnly<string>
  id: ReadOnly<string>
  first_name: ReadOnly<string | null>
  last_name: ReadOnly<string | null>
  email: ReadOnly<string | null>
  role: ReadOnly<MemberRole>
}
