import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Down } from '#contract/live.ts'
import { protocol } from '#contract/liveRules.ts'
import { testDatabase } from '#testing/database.ts'
import { createLog } from '../log.ts'
import { Metrics } from '../metrics.ts'
import { Recorder } from '../telemetry/recorder.ts'
import { alone } from './bus.ts'
import { Conversation } from './conversation.ts'
import { createFloor } from './floor.ts'
import { frameEvent, jsonIn } from './frame.ts'
import { Hub, type Line } from './hub.ts'
import { createLive } from './live.ts'

test('a snapshot that was read before something was told is read again (R3)', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const log = createLog('silent')
  const hub = new Hub({ opened: () => {}, closed: () => {} })
  const [userId, team, session] = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into users (id, email) values (${userId}, 'leo@example.com')`.execute(db)
  await sql`insert into teams (id, name) values (${team}, 'Owls')`.execute(db)
  await db.insertInto('team_access').values({ user_id: userId, team_id: team }).execute()
  await sql`insert into sessions (id, team_id, user_id, name)
    values (${session}, ${team}, ${userId}, 'Stint 1')`.execute(db)

  let reads = 0
  /** Is asked whenever a session was read: the moment in which another node's word may come. */
  class BusyMoment extends Recorder {
    override latest() {
      reads += 1
      const event: Down = { t: 'test', session, at: reads }
      if (reads < 3) hub.publish(`session:${session}`, frameEvent(event))
      return undefined
    }
  }
  const parts = { db, log, live: createLive(hub, alone), metrics: new Metrics() }
  const recorder = new BusyMoment({ db, engine: 'embedded' }, log)
  const floor = createFloor({ ...parts, recorder }, hub, () => alone.listening())
  const heard: Down[] = []
  const line: Line = {
    userId,
    loginId: randomUUID(),
    isOpen: true,
    backlogBytes: 0,
    send: frame => void heard.push(JSON.parse(jsonIn(frame).toString())),
    hold: () => {},
    release: () => {},
    close: () => {},
  }
  hub.add(line)
  const caller = { userId, loginId: line.loginId, isAnonymous: false, expiresAt: Infinity }
  const conversation = new Conversation(floor, line, caller)
  conversation.hear(JSON.stringify({ t: 'hello', protocol }))
  conversation.hear(JSON.stringify({ t: 'watch', room: `session:${session}` }))

  await vi.waitFor(() => expect(heard.at(-1)).toMatchObject({ t: 'snapshot' }), { timeout: 10_000 })
  expect(reads).toBe(3)
  expect(heard.map(({ t }) => t)).toEqual(['welcome', 'test', 'test', 'snapshot'])
})
