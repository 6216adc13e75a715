import type { Generated, GeneratedAlways } from 'kysely'
import type { FileType } from '#contract/shared/fileRules.ts'
import type { WordColour } from '#contract/shared/ownWords.ts'
import type { TeamChangeKind } from '#contract/teamChanges.ts'
import type { TeamEventKind } from '#contract/teamEvents.ts'
import type { MemberRole } from '#contract/teams.ts'
import type { PeopleTables } from './people.ts'
import type { ViewOf } from './readOnly.ts'

export interface TeamTables {
  teams: {
    id: Generated<string>
    name: string
    owner_id: string | null
    created_at: Generated<Date>
    deleted_at: Date | null
  }

  /** A bigint id: both databases return it as text or number. */
  team_changes: {
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
  team_access: {
    user_id: string
    team_id: string
    role: Generated<MemberRole>
    created_at: Generated<Date>
  }

  /** Everybody who may read a team: its members, and its televisions as viewers. */
  team_readers: ViewOf<Omit<TeamTables['team_access'], 'created_at'>>

  televisions: {
    user_id: string
    team_id: string
    name: string
    allowed_by: string
    created_at: Date
  }

  television_codes: {
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

  join_codes: {
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

  join_requests: {
    team_id: string
    user_id: string
    code_id: string
    takes_over: string | null
    created_at: Date
  }

  invitations: {
    id: Generated<string>
    team_id: string
    email: string
    first_name: string
    last_name: string
    invited_by: string | null
    created_at: Generated<Date>
    expires_at: Date
  }

  own_words: {
    id: string
    team_id: string
    /** From 0. */
    position: number
    text: string
    colour: WordColour
  }

  files: {
    team_id: string
    name: string
    blob_key: string
    content_type: FileType
    size_bytes: number
    updated_at: Generated<Date>
    member_id: string | null
  }

  blob_leftovers: {
    blob_key: string
    remove_after: Generated<Date>
  }

  /** A bigint id: both databases return it as text or number. */
  team_events: {
    id: GeneratedAlways<string | number>
    team_id: string
    session_id: string
    kind: TeamEventKind
    occurrence: number
    at: Date
  }

  teams_view: ViewOf<
    Pick<TeamTables['teams'], 'id' | 'name' | 'owner_id'> &
      Pick<TeamTables['team_access'], 'user_id' | 'role'>
  >

  team_users_view: ViewOf<
    Pick<PeopleTables['users'], 'id' | 'first_name' | 'last_name' | 'email'> &
      Pick<TeamTables['team_access'], 'team_id' | 'role'>
  >
}
