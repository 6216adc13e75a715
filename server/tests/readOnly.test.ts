import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

// Only for the embedded database: a full disk here does not make the PostgreSQL server read-only.
describe.runIf(!process.env.TEST_DATABASE_URL)('a nearly full disk', () => {
  test('lets people use the app, and lets reconnecting phones drive on', async () => {
    const { db } = scene.app.database
    const { session } = await scene.newSession()
    const since = Date.now()
    const drive = async () => {
      const phone = await scene.leo.connect()
      phone.send({ t: 'drive', session: session.id, since })
      expect((await phone.next('snapshot')).drive).toEqual({ since })
      return phone
    }
    const lost = await drive()
    lost.close()
    // Due to be extended.
    const expiresAt = new Date(Date.now() + 24 * 60 * 60 * 1000)
    await db.updateTable('logins').set({ expires_at: expiresAt }).execute()

    await sql`set default_transaction_read_only = on`.execute(db)
    const { login } = await scene.ana.call.auth.login()
    expect(login).toMatchObject({ user: { email: scene.ana.email }, expiresAt: +expiresAt })
    const pitWall = await subscribedConnection(scene.ana, `session:${session.id}`)
    const phone = await drive()
    phone.send(fix())
    expect((await pitWall.next('fix')).s).toBe(session.id)
    await sql`set default_transaction_read_only = off`.execute(db)

    expect((await scene.ana.call.auth.login()).login?.expiresAt).toBeGreaterThan(+expiresAt)
  })
})
