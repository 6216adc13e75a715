import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { testApp } from '#testing/app.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { NameServer } from '#testing/push/nameServer.ts'
import { PushService } from '#testing/push/pushService.ts'
import { createLog } from '../log.ts'
import { RateLimits } from '../rateLimit/rateLimits.ts'
import { storeSubscription } from './subscriptions.ts'
import { TeamEvents } from './teamEvents.ts'
import { vapidKeys } from './vapidKeys.ts'

/** Notifications of a server whose name server does not answer. */
async function scene() {
  const app = await testApp({ dev: true })
  const service = await PushService.start()
  let isSilent = true
  const names = await NameServer.start(() => (isSilent ? undefined : '127.0.0.1'))
  const resolver = names.resolver(60_000)
  const { db } = app.database
  const keys = await vapidKeys(db)
  const sender = { contact: 'mailto:race@example.com', allowLoopback: true, resolver, keys }
  const clock = heldClock()
  const events = new TeamEvents({
    db,
    live: { publish() {} },
    log: createLog('silent'),
    clock,
    rateLimits: new RateLimits(clock),
    sender,
    publicUrl: () => 'http://localhost',
  })
  return {
    app,
    service,
    names,
    session: async (owner: Person, members: Person[] = []) => {
      const team = await createTeam(owner, members)
      return (await owner.call.sessions.start({ teamId: team.id, name: 'Stint 1' })).id
    },
    record: (sessionId: SessionId) => events.record({ sessionId, kind: 'problem', occurrence: 1 }),
    subscribe: ({ call }: Person) =>
      call.notifications.subscribe(service.subscribe(keys.publicKey)),
    /** Subscribes browsers of a person, each at a push service whose name is never resolved. */
    async subscribeSilent({ id }: Person, browsers: number) {
      const now = Date.now()
      for (let number = 0; number < browsers; number += 1) {
        const { id: loginId } = await db
          .insertInto('logins')
          .values({
            user_id: id,
            token_hash: Buffer.alloc(32, number),
            device: null,
            expires_at: new Date(now + 600_000),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const endpoint = `https://silent-${number}.example.com/push`
        const subscription = { ...service.subscribe(keys.publicKey), endpoint }
        await storeSubscription(db, loginId, { ...subscription, now })
      }
    },
    async [Symbol.asyncDispose]() {
      isSilent = false
      resolver.cancel()
      await events.close()
      await names[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
}

test("a silent name server holds up no other team's notifications", async () => {
  await using it = await scene()
  const [eve, ana] = await Promise.all([it.app.person('Eve'), it.app.person('Ana')])
  await it.subscribeSilent(eve, 6)
  await it.subscribe(ana)
  const [own, others] = [await it.session(eve), await it.session(ana)]
  it.record(own)
  await it.names.untilAsked(1)
  it.record(others)
  const [received] = await it.service.untilReceived(1)
  expect(received?.notification).toMatchObject({ tag: others })
})

test('a member with many silent push services delays no other member', async () => {
  await using it = await scene()
  const [eve, ana] = await Promise.all([it.app.person('Eve'), it.app.person('Ana')])
  await it.subscribeSilent(eve, 25)
  await it.subscribe(ana)
  const session = await it.session(ana, [eve])
  it.record(session)
  await it.names.untilAsked(1)
  await it.service.untilReceived(1)
  expect(it.names.asked.size).toBeLessThanOrEqual(2)
})
