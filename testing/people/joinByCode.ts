import type { TeamId } from '#contract/ids.ts'
import { joinCodeUses } from '#contract/shared/joinCode.ts'
import type { MemberRole } from '#contract/teams.ts'
import { type Client, CookieJar, createClient } from './client.ts'

interface Shown {
  role?: MemberRole
  asks?: boolean
  maxUses?: number
}

/** Shows a code of a team, valid for an hour. */
export function showCode(
  member: { call: Client },
  teamId: TeamId,
  { role = 'member', asks = false, maxUses = joinCodeUses.usual }: Shown = {},
) {
  const expiresAt = Date.now() + 60 * 60_000
  return member.call.joinCodes.show({ teamId, role, asks, maxUses, expiresAt })
}

export type JoinedPerson = Awaited<ReturnType<typeof joinByCode>>

/** Joins a team in a new browser by the API, with a code that lets everybody in at once. */
export async function joinByCode(
  url: string,
  member: { call: Client },
  teamId: TeamId,
  firstName: string,
) {
  const { code } = await showCode(member, teamId)
  const jar = new CookieJar()
  const call = createClient(url, jar)
  await call.joinCodes.join({ code, firstName, lastName: 'Larsen' })
  return { id: (await call.users.me()).id, jar, call }
}
