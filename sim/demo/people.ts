import { Refusal } from '#contract/refusal.ts'
import type { Team } from '#contract/teams.ts'
import type { Me } from '#contract/users.ts'
import { call, type Server } from '../api.ts'
import { type SigningIn, signIn } from '../signIn.ts'
import type { DemoDriver } from './race.ts'

/** A signed-in member of the demo's team. */
export interface Member {
  readonly server: Required<Server>
  readonly user: Me
  readonly email: string
}

const teamName = 'Night Owls'

export async function member(
  { url, devToken }: Pick<SigningIn, 'url' | 'devToken'>,
  person: DemoDriver,
): Promise<Member> {
  const email = `${person.firstName.toLowerCase()}@pitboard.example`
  const { token, user } = await signIn({
    url,
    devToken,
    ...person,
    email,
    askForCode: () => {
      throw new Error(
        `The demo needs a server that keeps its mails at ${url}/dev/mailbox, and its DEV_TOKEN.`,
      )
    },
  })
  return { server: { url, token }, user, email }
}

/** Returns the team of the demo, which a member made now or in an earlier demo. */
export async function teamOf({ server }: Member): Promise<Team> {
  const teams = await call(server, 'teams.list', {})
  const existing = teams.find(({ name }) => name === teamName)
  return existing ?? (await call(server, 'teams.create', { name: teamName }))
}

/** Invites a member, who accepts. */
export async function join(inviter: Member, team: Team, { server, user, email }: Member) {
  await unlessAlready('already-a-member', async () => {
    const who = { firstName: user.firstName ?? '', lastName: user.lastName ?? '', email }
    const { id } = await call(inviter.server, 'teams.invite', { teamId: team.id, ...who })
    await call(server, 'teams.accept', { invitationId: id })
  })
}

async function unlessAlready(code: Refusal['code'], act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof Refusal && error.code === code)) throw error
  }
}
