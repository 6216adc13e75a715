import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fix, type LiveScene, liveScene, watching } from '#testing/liveScene.ts'
import type { Person } from '#testing/person.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

test('an invited driver sees the team without reloading (R1)', async () => {
  const line = await leo.line()
  const team = await ana.call.teams.create({ name: 'Early Birds' })
  await ana.call.teams.invite({ teamId: team.id, ...leo.details })

  expect(await line.next('team-added', frame => frame.team.id === team.id)).toEqual({
    t: 'team-added',
    team,
  })
  expect(await leo.call.teams.list()).toContainEqual(team)
})

test('members hear who joins, which sessions start and which end (R1)', async () => {
  const team = await ana.call.teams.create({ name: 'Night Owls' })
  const line = await watching(ana, `team:${team.id}`)

  await ana.call.teams.invite({ teamId: team.id, ...leo.details })
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await leo.call.sessions.end({ sessionId: session.id })

  expect((await line.next('member-added')).member.id).toBe(leo.id)
  expect((await line.next('session-started')).session).toEqual(session)
  expect(await line.next('session-ended')).toMatchObject({ session: session.id, team: team.id })
})

test('a driver who leaves the team drives no more, also with nobody watching (R4)', async () => {
  const { team, session } = await scene.stint()
  const car = await scene.driving(session.id)
  await leo.call.teams.leave({ teamId: team.id })
  await car.next('team-removed')

  car.send(fix())
  expect((await car.next('refused')).code).toBe('not-a-member')
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  expect((await car.next('refused')).code).toMatch(/^(not-a-member|not-the-driver)$/)
})

test('ids in other letters are the same ids (R1)', async () => {
  const { session } = await scene.stint()
  const car = await leo.line()
  car.send({ t: 'drive', session: session.id.toUpperCase() })
  await car.next('snapshot')
  await ana.call.messages.set({
    sessionId: session.id.toUpperCase(),
    type: 'Pit',
    commandId: randomUUID(),
  })
  expect((await car.next('message')).message.type).toBe('Pit')
  car.send({ t: 'watch', room: `session:${session.id.toUpperCase()}` })
  expect((await car.next('refused')).code).toBe('invalid-input')
})

test('a session that has ended takes no messages, no fixes and no driver (F6, R5)', async () => {
  const { session } = await scene.stint()
  const car = await scene.driving(session.id)
  await leo.call.sessions.end({ sessionId: session.id })
  await car.next('session-ended')

  car.send(fix())
  expect(await car.next('refused')).toMatchObject({ re: 'fix', code: 'session-ended' })
  car.send({ t: 'drive', session: session.id })
  expect(await car.next('refused')).toMatchObject({ re: 'drive', code: 'session-ended' })
  await expect(
    ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() }),
  ).rejects.toMatchObject({ code: 'session-ended' })
})

test('the drive screen that was opened last counts; an older one is told, and refused on a new line (R6)', async () => {
  const { session } = await scene.stint()
  const opened = Date.now()
  const drive = async (since?: number) => {
    const car = await leo.line()
    car.send({ t: 'drive', session: session.id, ...(since !== undefined && { since }) })
    return car
  }
  const older = await drive(opened - 2000)
  await older.next('driving')
  const newer = await drive(opened - 1000)
  expect((await newer.next('driving')).since).toBe(opened - 1000)
  expect((await older.next('driving', frame => frame.since > opened - 2000)).since).toBe(
    opened - 1000,
  )

  expect((await (await drive(opened - 2000)).next('refused')).code).toBe('driven-elsewhere')
  // The same screen after a lost line, and a device that only reports, are no other screen.
  await (await drive(opened - 1000)).next('snapshot')
  const logger = await drive()
  await logger.next('snapshot')
  logger.send(fix())
  await newer.next('fix')
  expect(newer.heard('driving')).toEqual([])

  // Whoever claims the future holds it no longer than until now.
  await (await drive(opened + 3_600_000)).next('snapshot')
  await (await drive(Date.now() + 1)).next('snapshot')
})
