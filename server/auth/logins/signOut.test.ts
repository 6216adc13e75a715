import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { type AuthServer, authServer } from '#testing/people/authServer.ts'
import { cookieName, get, rowOf, signedIn } from '#testing/people/logins.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe('signing out', () => {
  test('ends only this login, its cookie and its live connections', async () => {
    const ana = await signedIn(server)
    const phone = await signedIn(server, ana.email)
    const connections = [ana, phone].map(() => ({ closed: [] as number[] }))
    for (const [index, each] of [ana, phone].entries()) {
      server.hub.add({
        id: randomUUID(),
        userId: each.user.id,
        loginId: (await rowOf(server, each)).id,
        isOpen: true,
        backlogBytes: 0,
        send: () => {},
        hold: () => {},
        release: () => {},
        close: code => connections[index]?.closed.push(code),
      })
    }
    const token = ana.jar.get(cookieName)
    await ana.call.auth.signOut()
    expect(ana.jar.get(cookieName)).toBeUndefined()
    expect((await get(server, 'users.me', { cookie: `${cookieName}=${token}` })).status).toBe(401)
    expect(connections).toEqual([{ closed: [CloseCode.signedOut] }, { closed: [] }])
    expect(await phone.call.users.me()).toEqual(phone.user)
  })

  test('needs a login', async () => {
    await expect(server.browser().call.auth.signOut()).rejects.toMatchObject({
      code: 'not-signed-in',
    })
  })
})
