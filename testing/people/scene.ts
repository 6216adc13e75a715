import type { Browser, BrowserContext } from '@playwright/test'
import type { BuiltServer } from '../builtServer.ts'
import { createTeam } from './createTeam.ts'
import { createPerson, type Person } from './person.ts'

export type Scene = Awaited<ReturnType<typeof createScene>>

/** Creates a team of two with a session of Leo's. Scenes on one server need different email domains. */
export async function createScene({ url, mails }: BuiltServer, domain = 'northline.example') {
  const person = (firstName: string, lastName: string) =>
    createPerson(url, mails, {
      firstName,
      lastName,
      email: `${firstName.toLowerCase()}@${domain}`,
    })
  const [ana, leo] = [await person('Ana', 'Lindqvist'), await person('Leo', 'Garnier')]
  const team = await createTeam(ana, [leo])
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Friday practice 1' })
  const path = `/teams/${team.id}/${session.id}`
  return {
    ana,
    leo,
    teamId: team.id,
    sessionId: session.id,
    messagePath: `${path}/message`,
    drivePath: `${path}/drive`,
  }
}

/** Opens a browser context in which this user is signed in. */
export async function contextOf(
  browser: Browser,
  url: string,
  person?: Person,
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: url, permissions: ['geolocation'] })
  await context.addCookies(person?.jar.cookiesFor(url) ?? [])
  return context
}
