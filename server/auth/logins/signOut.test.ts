import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { TestConnection } from '#testing/live/testConnection.ts'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { cookieName, get, signedIn } from '#testing/people/logins.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('signing out', () => {
  test('ends only this login, its cookie and its live connections', async () => {
    const ana = await signedIn(server)
    const phone = await signedIn(server, ana.email)
    const connections = [ana, phone].map(
      ({ jar }) => new TestConnection(server.url, { cookie: jar.header, origin: server.url }),
    )
    for (const each of connections) await each.greet()
    const token = ana.jar.get(cookieName)
    await ana.call.auth.signOut()
    expect(ana.jar.get(cookieName)).toBeUndefined()
    expect((await get(server, 'users.me', { cookie: `${cookieName}=${token}` })).status).toBe(401)
    expect(await connections[0]?.closed()).toBe(CloseCode.signedOut)
    await connections[1]?.roundTrip()
    connections[1]?.close()
    expect(await phone.call.users.me()).toEqual(phone.user)
  })

  test('needs a login', async () => {
    await expect(server.browser().call.auth.signOut()).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })
})
