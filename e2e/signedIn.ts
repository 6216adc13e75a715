import type { BrowserContext } from '@playwright/test'
import type { BuiltServer } from '#testing/builtServer.ts'
import { createPerson, type Person } from '#testing/people/person.ts'

const loginCookie = 'pitboard_login'

/** Signs up a new user, and signs in this browser by cookie, without the screens. */
export async function signedIn(
  context: BrowserContext,
  server: BuiltServer,
  firstName: string,
  lastName: string,
): Promise<Person> {
  const email = `${firstName.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.com`
  const person = await createPerson(server.url, server.mails, { firstName, lastName, email })
  const value = person.jar.get(loginCookie) ?? ''
  await context.addCookies([
    { name: loginCookie, value, url: server.url, httpOnly: true, sameSite: 'Lax' },
  ])
  return person
}
