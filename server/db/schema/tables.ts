import type { Generated } from 'kysely'
import type {
  SupportAuditTable,
  SupportSignalsTable,
  SupportTestsTable,
} from '#support/server/tables.ts'
import type { CircuitsTable, CircuitVersionsTable } from './circuits.ts'
import type {
  LapMarksTable,
  LapsTable,
  LapTimingsTable,
  PitVisitsTable,
  SessionMovesTable,
} from './laps.ts'
import type {
  LoginCodesTable,
  LoginsTable,
  NotificationChoicesTable,
  PasskeysTable,
  PushSubscriptionsTable,
  UsedPasskeyChallengesTable,
  UsersTable,
} from './people.ts'
import type {
  CarRunsTable,
  CarsTable,
  DriversTable,
  FillsTable,
  OfficialFlagsTable,
  RaceCarsTable,
  RacePlansTable,
  RacesTable,
  RaceTimingsTable,
  RulePacksTable,
  RunCorrectionsTable,
  StintsTable,
  TimingBatchesTable,
  TimingEntriesTable,
} from './races.ts'
import type {
  AnswersTable,
  AnswersView,
  DataLinkBreaksTable,
  GlassChangesTable,
  GlassFlagsTable,
  MessagesTable,
  NewestFixesTable,
  PositionDeletionsTable,
  PositionsTable,
  SessionsTable,
  SessionsView,
} from './sessions.ts'
import type {
  BlobLeftoversTable,
  FilesTable,
  InvitationsTable,
  JoinCodesTable,
  JoinRequestsTable,
  OwnWordsTable,
  TeamAccessTable,
  TeamChangesTable,
  TeamEventsTable,
  TeamReadersView,
  TeamsTable,
  TeamsView,
  TeamUsersView,
  TelevisionCodesTable,
  TelevisionsTable,
} from './teams.ts'

/** Every table and view, as Kysely sees it. Written by hand beside the migrations, by topic in `tables/`. */
export interface Tables {
  users: UsersTable
  logins: LoginsTable
  login_codes: LoginCodesTable
  passkeys: PasskeysTable
  used_passkey_challenges: UsedPasskeyChallengesTable
  database_identity: DatabaseIdentityTable
  server_keys: ServerKeysTable
  room_revisions: RoomRevisionsTable
  rate_counts: RateCountsTable
  teams: TeamsTable
  team_access: TeamAccessTable
  team_readers: TeamReadersView
  team_changes: TeamChangesTable
  televisions: TelevisionsTable
  television_codes: TelevisionCodesTable
  join_codes: JoinCodesTable
  join_requests: JoinRequestsTable
  invitations: InvitationsTable
  sessions: SessionsTable
  newest_fixes: NewestFixesTable
  messages: MessagesTable
  answers: AnswersTable
  glass_changes: GlassChangesTable
  glass_flags: GlassFlagsTable
  positions: PositionsTable
  position_deletions: PositionDeletionsTable
  circuits: CircuitsTable
  circuit_versions: CircuitVersionsTable
  own_words: OwnWordsTable
  cars: CarsTable
  drivers: DriversTable
  run_corrections: RunCorrectionsTable
  stints: StintsTable
  races: RacesTable
  race_cars: RaceCarsTable
  car_runs: CarRunsTable
  race_plans: RacePlansTable
  race_timings: RaceTimingsTable
  timing_batches: TimingBatchesTable
  timing_entries: TimingEntriesTable
  official_flags: OfficialFlagsTable
  rule_packs: RulePacksTable
  fills: FillsTable
  laps: LapsTable
  lap_marks: LapMarksTable
  lap_timings: LapTimingsTable
  data_link_breaks: DataLinkBreaksTable
  pit_visits: PitVisitsTable
  session_moves: SessionMovesTable
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

/** One row. */
interface DatabaseIdentityTable {
  table_oid: number
  /** Read it only in SQL: a number has too few digits. */
  server_id: number | null
}

interface RoomRevisionsTable {
  team_id: string
  /** Null for the team's room. */
  session_id: string | null
  revision: Generated<number>
}

interface ServerKeysTable {
  name: string
  key: Buffer
}

interface RateCountsTable {
  what: string
  window_start: Date
  count: Generated<number>
}
