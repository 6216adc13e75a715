import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { PushService } from '#testing/push/pushService.ts'
import { createLog } from '../log.ts'
import { createResolver } from './publicHost.ts'
import type { PushSender } from './sendPush.ts'
import { TeamEvents } from './teamEvents.ts'
import { vapidKeys } from './vapidKeys.ts'

test('notifications of one event are encrypted in different turns of the event loop', async () => {
  await using app = await testApp({ dev: true })
  await using service = await PushService.start()
  const { db } = app.database
  const keys = await vapidKeys(db)
  const people = await Promise.all(['Ana', 'Leo', 'Kim', 'Mia'].map(name => app.person(name)))
  const [ana, ...others] = people
  const team = await createTeam(ana!, others)
  const session = await ana!.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  for (const { call } of people)
    await call.notifications.subscribe(service.subscribe(keys.publicKey))

  let turn = 0
  let isCounting = true
  const counting = (async () => {
    for (; isCounting; turn++) await nextTurn()
  })()
  const turns: number[] = []
  const sender: PushSender = {
    contact: 'mailto:race@example.com',
    allowLoopback: true,
    resolver: createResolver(),
    // Read once for each notification, right before it is encrypted.
    get keys() {
      turns.push(turn)
      return keys
    },
  }
  const log = createLog('silent')
  const events = new TeamEvents({ db, live: { publish() {} }, log, clock: heldClock(), sender })
  events.record({ sessionId: session.id, kind: 'problem', occurrence: 1 })
  await service.untilReceived(people.length)
  await events.close()
  isCounting = false
  await counting
  expect(turns).toHaveLength(people.length)
  expect(new Set(turns).size).toBe(people.length)
})
