import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { RoomName } from '#contract/live.ts'
import { testDatabase } from '#testing/database/database.ts'
import { systemClock } from '../clock.ts'
import { leaveTeam } from '../teams/leave.ts'
import { type Notice, noopBus } from './publish/bus.ts'
import type { Connection } from './publish/connection.ts'
import { Hub } from './publish/hub.ts'
import { applyNotice, createLive } from './publish/live.ts'

test('a removal is one notice that evicts from every room of the team (R4)', async () => {
  await using made = await testDatabase()
  const { db } = made.open
  const [user, team, otherTeam] = [randomUUID(), randomUUID(), randomUUID()]
  const colleague = randomUUID()
  const sessions = [randomUUID(), randomUUID(), randomUUID()]
  await sql`insert into users (id, email) values
    (${user}, 'leo@example.com'), (${colleague}, 'ana@example.com')`.execute(db)
  await sql`insert into teams (id, name) values (${team}, 'Owls')`.execute(db)
  for (const user_id of [user, colleague])
    await db.insertInto('team_access').values({ user_id, team_id: team }).execute()
  for (const [index, id] of sessions.entries())
    await sql`insert into sessions (id, team_id, user_id, name, status) values
      (${id}, ${team}, ${user}, 'Stint', ${index === 0 ? 'Active' : 'Complete'})`.execute(db)

  const evictions: [RoomName, Notice][] = []
  const live = createLive(newHub(), {
    ...noopBus,
    send: (room, notice) => void (notice.do === 'evict' && evictions.push([room, notice])),
  })
  await leaveTeam({ db, live, clock: systemClock }, team, user)
  expect(evictions).toHaveLength(1)

  const otherNode = newHub()
  const otherSession = randomUUID()
  const rooms = [...sessions, otherSession].map((id): RoomName => `session:${id}`)
  const connection = idleConnection(user)
  const other = idleConnection(colleague)
  for (const each of [connection, other]) {
    otherNode.add(each)
    for (const room of [`user:${each.userId}`, `team:${team}`, ...rooms] as const)
      otherNode.join(room, each)
  }
  for (const room of rooms) {
    const teamId = room === `session:${otherSession}` ? otherTeam : team
    otherNode.mergeSession(room, {
      teamId,
      status: 'Active',
      dataLink: true,
      message: { version: 0 },
    })
  }
  for (const [room, notice] of evictions) applyNotice(otherNode, room, notice)

  const left = [`team:${team}`, ...rooms.slice(0, 3)] as RoomName[]
  expect(left.map(room => otherNode.isSubscribed(room, connection))).toEqual(left.map(() => false))
  expect(left.map(room => otherNode.isSubscribed(room, other))).toEqual(left.map(() => true))
  for (const room of [`user:${user}`, `session:${otherSession}`] as const)
    expect(otherNode.isSubscribed(room, connection)).toBe(true)
})

function newHub(): Hub {
  return new Hub({ opened: () => {}, closed: () => {} })
}

function idleConnection(userId: string): Connection {
  return {
    userId,
    id: randomUUID(),
    loginId: randomUUID(),
    isOpen: true,
    backlogBytes: 0,
    send: () => {},
    hold: () => {},
    release: () => {},
    close: () => {},
  }
}
