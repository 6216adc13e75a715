import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPasskey } from '#testing/people/addPasskey.ts'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { insertTeam, rowOf, setLoginExpiry, signedIn, unusedEmail } from '#testing/people/logins.ts'
import { deleteExpired } from './deleteExpired.ts'

const origin = 'http://localhost:3000'
let server: AuthServer

beforeAll(async () => {
  server = await authServer({ publicUrl: origin })
})
afterAll(() => server[Symbol.asyncDispose]())

describe('deleting expired data', () => {
  test('deletes expired logins and codes', async () => {
    const [ana, leo] = [await signedIn(server), await signedIn(server)]
    await setLoginExpiry(server, (await rowOf(server, ana)).id, '-1 second')
    const email = unusedEmail()
    await server.codeFor(email)
    await server.db
      .updateTable('login_codes')
      .set({ expires_at: sql<Date>`now() - interval '1 second'` })
      .where('email', '=', email)
      .execute()

    await deleteExpired(server.db, Date.now())

    await expect(rowOf(server, ana)).rejects.toThrow('no result')
    const codes = await server.db
      .selectFrom('login_codes')
      .select('email')
      .where('email', '=', email)
      .execute()
    expect(codes).toEqual([])
    expect(await rowOf(server, leo)).toBeDefined()
  })

  test('deletes unreachable anonymous users unless other data refers to them', async () => {
    const [gone, kept, fresh] = [server.browser(), server.browser(), server.browser()]
    const ids: string[] = []
    for (const browser of [gone, kept, fresh]) {
      const { user } = await browser.call.auth.signInAnonymously()
      ids.push(user.id)
    }
    await insertTeam(server, ids[1] ?? '')
    await server.db
      .updateTable('users')
      .set({ created_at: sql<Date>`now() - interval '2 days'` })
      .where('id', 'in', ids)
      .execute()
    await gone.call.auth.signOut()
    await kept.call.auth.signOut()

    await deleteExpired(server.db, Date.now())

    const left = await server.db.selectFrom('users').select('id').where('id', 'in', ids).execute()
    expect(left.map(({ id }) => id).sort()).toEqual(ids.slice(1).sort())
  })

  test('keeps who joined by a code and has a passkey, in no team and signed out', async () => {
    const { call } = server.browser()
    const { user } = await call.auth.signInAnonymously()
    await server.db.updateTable('users').set({ joined: true }).where('id', '=', user.id).execute()
    const { key } = await addPasskey({ call }, origin)
    await server.db
      .updateTable('users')
      .set({ created_at: sql<Date>`now() - interval '2 days'` })
      .where('id', '=', user.id)
      .execute()
    await call.auth.signOut()

    await deleteExpired(server.db, Date.now())

    const browser = server.browser()
    const asked = await browser.call.passkeys.startSignIn({})
    const credential = key.get(asked, { origin })
    await browser.call.passkeys.signIn({ credential })
    expect((await browser.call.users.me()).id).toBe(user.id)
  })
})
