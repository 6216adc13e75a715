import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { AuthServer, Browser } from './authServer.ts'

export const cookieName = 'pitboard_login'
/** Contains the token of the pages under /dev. */
export const devCookie = 'pitboard_dev'

/** Signs in a user in a new browser. */
export async function signedIn(server: AuthServer, email = unusedEmail()) {
  const browser = server.browser()
  const code = await server.codeFor(email, undefined, browser)
  const login = await browser.call.auth.verifyCode({ email, code })
  return { ...browser, ...login, email }
}

/** Returns an unused email address. */
export function unusedEmail(): string {
  return `someone-${randomUUID()}@example.com`
}

/** Sends one request with only these headers. */
export function get({ url }: AuthServer, path: string, headers: Record<string, string>) {
  return fetch(`${url}/api/${path}`, { headers })
}

/** Returns the row of a browser's login. */
export function rowOf({ db }: AuthServer, { jar }: Browser) {
  return db
    .selectFrom('logins')
    .selectAll()
    .where('token_hash', '=', hashOf(jar.get(cookieName) ?? ''))
    .executeTakeFirstOrThrow()
}

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Sets the expiry of a login to this interval from now; a negative one expires it. */
export async function setLoginExpiry({ db }: AuthServer, loginId: string, interval: string) {
  await db
    .updateTable('logins')
    .set({ expires_at: sql<Date>`now() + ${interval}::interval` })
    .where('id', '=', loginId)
    .execute()
}

/** Inserts a team with this user as its only member. */
export async function insertTeam({ db }: Pick<AuthServer, 'db'>, userId: string): Promise<string> {
  const { id } = await db
    .insertInto('teams')
    .values({ name: 'Night Owls' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('team_access').values({ team_id: id, user_id: userId }).execute()
  return id
}
