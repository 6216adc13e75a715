import type { Generated, GeneratedAlways } from 'kysely'
import type { FileType } from '#contract/shared/fileRules.ts'
import type { WordColour } from '#contract/shared/ownWords.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import type { TeamEventKind } from '#contract/teamEvents.ts'
import type { MemberRole } from '#contract/teams.ts'
import type { ReadOnly } from './readOnly.ts'

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

export interface JoinCodesTable {
  id: Generated<string>
  team_id: string
  shown_by: string
  code: string
  role: MemberRole
  asks: boolean
  uses: Generated<number>
  max_uses: number
  created_at: Date
  expires_at: Date
}

export interface JoinRequestsTable {
  team_id: string
  user_id: string
  code_id: string
  takes_over: string | null
  created_at: Date
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

export interface OwnWordsTable {
  id: string
  team_id: string
  /** From 0. */
  position: number
  text: string
  colour: WordColour
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

/** A bigint id: both databases return it as text or number. */
export interface TeamEventsTable {
  id: GeneratedAlways<string | number>
  team_id: string
  session_id: string
  kind: TeamEventKind
  occurrence: number
  at: Date
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
