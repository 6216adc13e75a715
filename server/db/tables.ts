import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { FileType } from '#contract/fileRules.ts'
import type { MessageType } from '#contract/messages.ts'
import type { PhoneState } from '#contract/phone.ts'
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
  server_keys: ServerKeysTable
  rate_counts: RateCountsTable
  teams: TeamsTable
  team_access: TeamAccessTable
  invitations: InvitationsTable
  sessions: SessionsTable
  messages: MessagesTable
  positions: PositionsTable
  position_deletions: PositionDeletionsTable
  files: FilesTable
  blob_leftovers: BlobLeftoversTable
  support_audit: SupportAuditTable
  support_tests: SupportTestsTable
  support_signals: SupportSignalsTable
  sessions_view: SessionsView
  teams_view: TeamsView
  team_users_view: TeamUsersView
}

type UserStatus = 'Active' | 'Inactive'
type SessionStatus = 'Active' | 'Complete'

/** A column of a view: read only. */
type Seen<T> = ColumnType<T, never, never>

export interface UsersTable {
  id: Generated<string>
  email: string | null
  first_name: string | null
  last_name: string | null
  status: Generated<UserStatus>
  active_team_id: string | null
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
}

export interface TeamAccessTable {
  user_id: string
  team_id: string
  created_at: Generated<Date>
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
  speed: number | null
  latitude: number | null
  longitude: number | null
  last_driver_contact: Date | null
  date_started: Generated<Date>
  date_ended: Date | null
  expire_after_s: Generated<number>
  phone: JSONColumnType<PhoneState> | null
  driving_since: Generated<Date | null>
  positions_deleted_at: Date | null
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
  sent_by: string
  pressed_at: Date
  sent_at: Date
  reached_at: Date | null
  shown_at: Date | null
  copied_at: Date | null
  expires_at: Date | null
}

export interface PositionsTable {
  session_id: string
  at: Date
  latitude: number | null
  longitude: number | null
  speed: number | null
  accuracy_m: number | null
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

export interface BlobLeftoversTable {
  blob_key: string
  remove_after: Generated<Date>
}

export interface SessionsView {
  id: Seen<string>
  team_id: Seen<string>
  user_id: Seen<string>
  name: Seen<string>
  status: Seen<SessionStatus>
  message_type: Seen<MessageType | null>
  message_version: Seen<number>
  speed: Seen<number | null>
  latitude: Seen<number | null>
  longitude: Seen<number | null>
  last_driver_contact: Seen<Date | null>
  date_started: Seen<Date>
  date_ended: Seen<Date | null>
  expire_after_s: Seen<number>
  phone: Seen<PhoneState | null>
  driver_first_name: Seen<string | null>
  driver_last_name: Seen<string | null>
  driver_email: Seen<string | null>
  command_id: Seen<string | null>
  pressed_at: Seen<Date | null>
  sent_at: Seen<Date | null>
  sent_by: Seen<string | null>
  reached_at: Seen<Date | null>
  shown_at: Seen<Date | null>
  copied_at: Seen<Date | null>
  expires_at: Seen<Date | null>
}

export interface TeamsView {
  id: Seen<string>
  name: Seen<string>
  owner_id: Seen<string | null>
  user_id: Seen<string>
}

export interface TeamUsersView {
  team_id: Seen<string>
  id: Seen<string>
  first_name: Seen<string | null>
  last_name: Seen<string | null>
  email: Seen<string | null>
}
