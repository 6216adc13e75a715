import { randomUUID } from 'node:crypto'
import { setImmediate as nextTick } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Down, DownOf } from '#contract/live.ts'
import type { Receipt } from '#contract/messages.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { testDatabase } from '#testing/database/database.ts'
import type { Database } from '../db/database.ts'
import { createLog } from '../log.ts'
import { countChange, readRevision } from './changes.ts'
import { type Bus, noopBus } from './publish/bus.ts'
import type { Connection } from './publish/connection.ts'
import { packNotice, unpackNotice } from './publish/envelope.ts'
import { frameEvent, jsonsIn } from './publish/frame.ts'
import { Hub } from './publish/hub.ts'
import { applyNotice, createLive } from './publish/live.ts'
import { recheck } from './recheck.ts'

test('lost notices of logins, sessions, versions and answers are noticed (R8)', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const hub = new Hub({ opened: () => {}, closed: () => {} })
  const context = { db, hub, log: createLog('silent') }
  const { team, session, userId, loginId } = await insertDriver(made.open)
  const connection = idleConnection({ userId, loginId })
  hub.add(connection)
  for (const room of [`user:${userId}`, `team:${team}`, `session:${session}`] as const)
    hub.join(room, connection)
  const news = () => hub.newsOf(connection)

  await recheck(context)
  expect(connection).toMatchObject({ received: [], closedWith: null })
  expect(news()).toEqual({ versions: { [session]: 0 } })
  expect(hub.hasDataLink(`session:${session}`)).toBe(true)

  for (const data_link of [false, true, false]) {
    await db.updateTable('sessions').set({ data_link }).where('id', '=', session).execute()
    await recheck(context)
    expect(hub.hasDataLink(`session:${session}`)).toBe(data_link)
  }

  await db
    .updateTable('sessions')
    .set({ message_version: 3, answer_number: 2, status: 'Complete' })
    .where('id', '=', session)
    .execute()
  await recheck(context)
  await recheck(context)
  await nextTick()
  expect(news()).toEqual({ versions: { [session]: 3 }, answers: { [session]: 2 } })
  expect(connection.received.splice(0)).toMatchObject([
    { t: 'message', session, message: { version: 3 } },
    { t: 'session-ended', team, session },
  ])

  await db.deleteFrom('team_access').execute()
  await recheck(context)
  expect(connection.received.splice(0)).toMatchObject([
    { t: 'team-removed', team },
    { t: 'refused', room: `session:${session}`, code: 'not-a-member' },
  ])
  expect([...hub.present('team'), ...hub.present('session')]).toEqual([])
  expect(connection.closedWith).toBeNull()

  await db.deleteFrom('logins').where('id', '=', loginId).execute()
  await recheck(context)
  expect(connection.closedWith).toBe(CloseCode.signedOut)
})

test('receipts whose notice was lost are published once (R8, S1)', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const hub = new Hub({ opened: () => {}, closed: () => {} })
  const { team, session, userId, loginId } = await insertDriver(made.open)
  const other = randomUUID()
  await sql`insert into sessions (id, team_id, user_id, name, status, date_ended)
    values (${other}, ${team}, ${userId}, 'Stint 0', 'Complete', now())`.execute(db)
  const connection = idleConnection({ userId, loginId })
  hub.add(connection)
  const room = `session:${session}` as const
  hub.join(room, connection)
  async function received() {
    await recheck({ db, hub })
    await recheck({ db, hub })
    await nextTick()
    return connection.received.splice(0)
  }
  async function insertMessage(sessionId: string, version: number) {
    await sql`insert into messages (session_id, version, command_id, type, sent_by, pressed_at, sent_at)
      values (${sessionId}, ${version}, ${randomUUID()}, 'Pit', ${userId}, now(), now())`.execute(
      db,
    )
    await sql`update sessions set message_type = 'Pit', message_version = ${version}
      where id = ${sessionId}`.execute(db)
  }
  async function store(times: { reached_at?: Date; shown_at?: Date; copied_at?: Date }) {
    await db.updateTable('messages').set(times).where('version', '=', 2).execute()
  }
  const receiptFrame = (times: Partial<Receipt>): DownOf<'receipt'> => ({
    t: 'receipt',
    session,
    version: 2,
    receipt: { reachedAt: null, shownAt: null, copiedAt: null, ...times },
  })

  expect(await received()).toEqual([])
  await insertMessage(session, 1)
  await db
    .updateTable('messages')
    .set({ reached_at: new Date(1500) })
    .execute()
  await insertMessage(session, 2)
  await insertMessage(other, 2)
  expect(await received()).toMatchObject([
    { t: 'message', session, message: { version: 2, type: 'Pit', sentBy: userId } },
  ])

  await store({ reached_at: new Date(2000) })
  expect(await received()).toEqual([receiptFrame({ reachedAt: 2000 })])
  await store({ shown_at: new Date(3000) })
  const shown = receiptFrame({ reachedAt: 2000, shownAt: 3000 })
  expect(await received()).toEqual([shown])

  // A receipt that did arrive is not published again.
  await store({ copied_at: new Date(4000) })
  const copied = receiptFrame({ reachedAt: 2000, shownAt: 3000, copiedAt: 4000 })
  hub.publish(room, frameEvent(copied))
  expect(await received()).toEqual([copied])
})

test('a change of a race or circuit whose notice was lost is published once (R8)', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const { team, session, userId, loginId } = await insertDriver(made.open)
  const log = createLog('silent')
  const [hub, otherHub] = [1, 2].map(() => new Hub({ opened: () => {}, closed: () => {} }))
  let isLost = false
  const send: Bus['send'] = (room, notice) => {
    if (!isLost) applyNotice(hub!, room, unpackNotice(packNotice(notice)))
  }
  const counted: Promise<number>[] = []
  const otherNode = createLive(otherHub!, { ...noopBus, send }, change => {
    const count = countChange({ db, log }, change)
    counted.push(count)
    return count
  })
  const connection = idleConnection({ userId, loginId })
  hub!.add(connection)
  const rooms = [`team:${team}`, `session:${session}`] as const
  const changes = [
    { t: 'race-changed', team },
    { t: 'circuits-changed', team, session },
  ] as const
  const missed = [
    { t: 'race-changed', team },
    { t: 'circuits-changed', team },
    { t: 'race-changed', team, session },
    { t: 'circuits-changed', team, session },
  ]
  async function publish({ lost }: { lost: boolean }) {
    isLost = lost
    for (const [index, change] of changes.entries()) {
      otherNode.publish(rooms[index]!, change)
      await counted.at(-1)
      await nextTick()
    }
    return connection.received.splice(0)
  }
  async function repaired() {
    await recheck({ db, hub: hub! })
    await recheck({ db, hub: hub! })
    await nextTick()
    return connection.received.splice(0)
  }

  await publish({ lost: true })
  for (const room of rooms) {
    hub!.join(room, connection)
    await readRevision({ db, hub: hub! }, room)
  }
  expect(await repaired()).toEqual([])
  expect(await publish({ lost: false })).toEqual(changes)
  expect(await repaired()).toEqual([])
  expect(await publish({ lost: true })).toEqual([])
  expect(await repaired()).toEqual(missed)
  // The next event does not hide a lost one before it.
  await publish({ lost: true })
  expect(await publish({ lost: false })).toEqual(changes)
  expect(await repaired()).toEqual(missed)
})

function idleConnection(whose: Pick<Connection, 'userId' | 'loginId'>) {
  const connection: Connection & { received: Down[]; closedWith: CloseCode | null } = {
    id: randomUUID(),
    ...whose,
    isOpen: true,
    backlogBytes: 0,
    received: [],
    closedWith: null,
    send: frame =>
      void connection.received.push(...jsonsIn(frame).map(json => JSON.parse(json.toString()))),
    hold: () => {},
    release: () => {},
    close: code => {
      connection.closedWith = code
    },
  }
  return connection
}

/** A signed-in member of a team who drives. */
async function insertDriver({ db }: Database) {
  const ids = {
    userId: randomUUID(),
    loginId: randomUUID(),
    team: randomUUID(),
    session: randomUUID(),
  }
  await sql`insert into users (id, email) values (${ids.userId}, 'leo@example.com')`.execute(db)
  await sql`insert into teams (id, name) values (${ids.team}, 'Owls')`.execute(db)
  await db.insertInto('team_access').values({ user_id: ids.userId, team_id: ids.team }).execute()
  await sql`insert into logins (id, user_id, token_hash, expires_at)
    values (${ids.loginId}, ${ids.userId}, 'x', now() + interval '1 day')`.execute(db)
  await sql`insert into sessions (id, team_id, user_id, name)
    values (${ids.session}, ${ids.team}, ${ids.userId}, 'Stint 1')`.execute(db)
  return ids
}
