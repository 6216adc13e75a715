import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import type { MessageType } from '#contract/messages.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { createLog } from '#server/log.ts'
import { stoppedClock } from '#testing/clock.ts'
import { lapRow } from '#testing/database/lapRow.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { addCar, addDriver, driverChange } from '#testing/people/roster.ts'
import { sendAutoPit } from './autoPit.ts'

const clock = stoppedClock()
const lapMs = 100_000
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A car with 30 L that burns 2 L a lap. It has to stop at the end of lap 12, with 11 % of doubt. */
async function race() {
  const { db, commandDb } = scene.app.database
  const { session, team } = await scene.newSession()
  const sessionId = session.id
  const { ana, leo } = scene
  const car = await addCar(ana, team.id, '17', { tankL: 30, reserveL: 2, burnL: 2 })
  await ana.call.stints.setCar({ sessionId, carId: car.id })
  await ana.call.fills.setStart({ sessionId, litres: 30 })
  let laps = 0
  const lines: unknown[] = []
  const log = createLog('info', { write: line => lines.push(JSON.parse(line)) })
  const check = (phone = sessionId) =>
    sendAutoPit(
      { db, commandDb, readDb: db, clock, log, live: { publish: () => undefined } as never },
      phone,
    )
  /** Drives laps, and lets the server decide after each of them. */
  const drive = async (count: number, phone = sessionId, timeMs = lapMs) => {
    for (let lap = 0; lap < count; lap++) {
      const startedAt = clock.now()
      clock.pass(timeMs)
      const values = { number: laps++, startedAt, timeMs, plusMinusMs: 100 }
      const unmarked = { isSeen: true, yellow: false, yellowMessage: null, marked: false }
      await db
        .insertInto('laps')
        .values(lapRow(phone, { ...values, ...unmarked, kind: 'full' }))
        .execute()
      await check(phone)
    }
  }
  const sent = async (phone = sessionId) =>
    (await ana.call.messages.log({ sessionId: phone }))
      .toReversed()
      .map(({ type, sentBy, byPlan }) => ({
        type,
        by: byPlan ? 'Plan' : sentBy?.firstName,
      }))
  const send = (type: MessageType | null) =>
    leo.call.messages.set({ sessionId, type, commandId: randomUUID() })
  return { sessionId, team, car, drive, check, sent, send, lines }
}

/** The same in a race, for which Mia starts a session of the car, too. */
async function swapRace() {
  const made = await race()
  const { team, car, sessionId } = made
  const { ana } = scene
  const mia = await scene.app.person('Mia')
  await addMember(ana, team.id, mia)
  const length = { in: 'time' as const, ms: 6 * 60 * 60_000 }
  const zolder = { id: randomUUID(), name: 'Zolder', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId: team.id, race: zolder })
  await ana.call.races.start({ raceId: zolder.id })
  clock.pass(1000)
  const start = { teamId: team.id, name: 'Other phone', carId: car.id }
  const { id: second } = await mia.call.sessions.start(start)
  await ana.call.stints.setAutoPit({ sessionId, on: true })
  /** Mia's phone is in the car from now on. */
  const takeOver = () =>
    ana.call.carRaces.correctRuns({
      sessionId,
      correctionId: randomUUID(),
      decisions: [{ phone: second, from: clock.now(), until: null }],
    })
  const { db } = scene.app.database
  const setShown = () =>
    db
      .updateTable('messages')
      .set({ shown_at: new Date(clock.now()) })
      .execute()
  return { ...made, second, takeOver, setShown }
}

const byPlan = { type: 'Pit', by: 'Plan' }

test('the plan sends PIT once, in the lap of the stop, if the team wishes it', async () => {
  const { sessionId, drive, check, sent } = await race()
  await drive(6)
  expect(await sent()).toEqual([])
  expect(await scene.ana.call.stints.setAutoPit({ sessionId, on: true })).toMatchObject({
    autoPit: true,
  })
  await drive(4)
  // Lap 11: PIT would call the car in at its end.
  expect(await sent()).toEqual([])
  await drive(1)
  expect(await sent()).toEqual([byPlan])
  const { message } = await scene.ana.call.sessions.get({ sessionId })
  expect(message).toMatchObject({ type: 'Pit', byPlan: true })
  // Several nodes, and a restart.
  await Promise.all([check(), check(), check()])
  expect(await sent()).toEqual([byPlan])

  // A stop, with fuel for another stint.
  await scene.ana.call.fills.add({ sessionId, fillId: randomUUID(), litres: 22, kind: 'full' })
  await drive(3)
  expect(await sent()).toEqual([byPlan])
  await drive(10)
  expect(await sent()).toEqual([byPlan, byPlan])
})

test('no PIT is sent for which the plan has no stop before the end', async () => {
  const { sessionId, team, drive, sent } = await race()
  const { ana } = scene
  // 21 minutes suffice for 12 laps; after a slow lap the stint would seem to end one lap before the finish.
  const rules = { ...noRules, maxStintMs: 21 * 60_000 }
  const length = { in: 'laps' as const, laps: 12 }
  const sprint = { id: randomUUID(), name: 'Sprint', length, rules, carIds: [] }
  await ana.call.races.save({ teamId: team.id, race: sprint })
  await ana.call.races.start({ raceId: sprint.id })
  await ana.call.stints.setAutoPit({ sessionId, on: true })
  await drive(6)
  await drive(1, sessionId, 130_000)
  await drive(4)
  expect(await sent()).toEqual([])
})

test('a stint that was fixed beyond the fuel or its limit does not silence PIT', async () => {
  const { ana } = scene
  for (const maxStintMs of [null, 15 * 60_000]) {
    const { sessionId, team, car, drive, sent } = await race()
    const length = { in: 'time' as const, ms: 60 * 60_000 }
    const rules = { ...noRules, maxStintMs }
    const made = { id: randomUUID(), name: 'Zolder', length, rules, carIds: [car.id] }
    await ana.call.races.save({ teamId: team.id, race: made })
    await ana.call.races.start({ raceId: made.id })
    const fixed = { number: 1, driverId: null, lengthMs: length.ms }
    const change = { kind: 'stints' as const, stints: [fixed] }
    await ana.call.races.changePlan({ raceId: made.id, carId: car.id, change })
    await ana.call.stints.setAutoPit({ sessionId, on: true })
    await drive(maxStintMs === null ? 11 : 8)
    expect(await sent()).toEqual([byPlan])
  }
})

test('several nodes that decide at the same time send one PIT', async () => {
  const { sessionId, drive, check, sent } = await race()
  await drive(11)
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  await Promise.all([check(), check(), check(), check()])
  expect(await sent()).toEqual([byPlan])
})

test('a swap of phones does not send PIT a second time (M8, M11)', async () => {
  const { drive, check, sent, second, takeOver, setShown } = await swapRace()
  await drive(11)
  expect(await sent()).toEqual([byPlan])
  expect(await sent(second)).toEqual([])
  await takeOver()
  // It is on the screen of the new phone.
  expect(await sent(second)).toEqual([byPlan])
  await setShown()
  await drive(1, second)
  await check()
  expect(await sent()).toEqual([byPlan])
  expect(await sent(second)).toEqual([byPlan])
})

test('a PIT that the driver did not see before a swap is sent again, once (M8)', async () => {
  const { sessionId, drive, sent, second, takeOver, team } = await swapRace()
  await scene.ana.call.sessions.setExpiry({ sessionId, expireAfterS: 120 })
  await drive(11)
  expect(await sent()).toEqual([byPlan])
  clock.pass(150_000)
  await takeOver()
  expect(await sent(second)).toEqual([])
  await drive(1, second)
  expect(await sent(second)).toEqual([byPlan])
  await drive(1, second)
  expect(await sent(second)).toEqual([byPlan])
  expect(await sent()).toEqual([byPlan])

  // A stop: PIT is due again later, with the phone that is in the car.
  const theo = await addDriver(scene.ana, team.id, 'Théo Garnier')
  await driverChange(scene.ana, sessionId, theo.id).send()
  await scene.ana.call.fills.add({ sessionId, fillId: randomUUID(), litres: 26, kind: 'full' })
  await drive(11, second)
  expect(await sent(second)).toEqual([byPlan, byPlan])
  expect(await sent()).toEqual([byPlan])
})

test('automatic PIT goes on after a correction of runs, and after it is undone (M8)', async () => {
  const { sessionId, drive, sent, second, takeOver } = await swapRace()
  const { carRaces } = scene.ana.call
  await drive(3)
  await takeOver()
  const since = clock.now()
  await drive(2, second)
  // The phone of these two laps was in another car.
  const correctionId = randomUUID()
  const wrong = { phone: sessionId, from: since, until: null }
  await carRaces.correctRuns({ sessionId, correctionId, decisions: [wrong] })
  expect((await carRaces.ofSession({ sessionId })).autoPit).toBe(true)
  await drive(6)
  expect(await sent()).toEqual([byPlan])
  expect(await sent(second)).toEqual([])

  await scene.ana.call.fills.add({ sessionId, fillId: randomUUID(), litres: 26, kind: 'full' })
  await carRaces.undoCorrection({ sessionId, correctionId })
  expect((await carRaces.ofSession({ sessionId: second })).autoPit).toBe(true)
  await drive(11, second)
  expect((await sent(second)).at(-1)).toEqual(byPlan)
})

test.each(['FCY', 'SC', 'Code 60', 'Abort'] as const)(
  'the plan waits while %s is shown',
  async type => {
    const { sessionId, drive, sent, send } = await race()
    await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
    await drive(3)
    await send(type)
    await drive(7)
    expect(await sent()).toEqual([{ type, by: 'Leo' }])
    await send(null)
    await drive(1)
    expect((await sent()).at(-1)).toEqual(byPlan)
  },
)

test('the plan sends nothing while the car is in the pits', async () => {
  const { sessionId, drive, sent } = await race()
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  const { db } = scene.app.database
  await db
    .insertInto('pit_visits')
    .values({ session_id: sessionId, started_at: new Date(clock.now()) })
    .execute()
  await drive(11)
  expect(await sent()).toEqual([])
  await db
    .updateTable('pit_visits')
    .set({ ended_at: new Date(clock.now()) })
    .where('session_id', '=', sessionId)
    .execute()
  await drive(1)
  expect(await sent()).toEqual([byPlan])
})

test('PIT is sent again after an entry was corrected and the fuel ran low again', async () => {
  const { sessionId, drive, sent } = await race()
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  await scene.ana.call.fills.setStart({ sessionId, litres: 3 })
  await drive(4)
  expect(await sent()).toEqual([byPlan])
  await scene.ana.call.fills.setStart({ sessionId, litres: 30 })
  await drive(1)
  expect(await sent()).toEqual([byPlan])
  await drive(6)
  expect(await sent()).toEqual([byPlan, byPlan])
})

test('a PIT of the team is not repeated by the plan if the driver has seen it', async () => {
  const { sessionId, drive, sent, send } = await race()
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  await drive(3)
  const { version } = await send('Pit')
  await scene.app.database.db
    .updateTable('messages')
    .set({ shown_at: new Date(clock.now()) })
    .where('session_id', '=', sessionId)
    .where('version', '=', version)
    .execute()
  await drive(8)
  expect(await sent()).toEqual([{ type: 'Pit', by: 'Leo' }])
})

test('the plan sends PIT if that of the team expired before the driver saw it', async () => {
  const { sessionId, drive, sent, send } = await race()
  await scene.ana.call.sessions.setExpiry({ sessionId, expireAfterS: 120 })
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  await drive(3)
  await send('Pit')
  await drive(8)
  expect(await sent()).toEqual([{ type: 'Pit', by: 'Leo' }, byPlan])
})

test('the plan sends nothing once it is off', async () => {
  const { sessionId, drive, sent } = await race()
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  await scene.ana.call.stints.setAutoPit({ sessionId, on: false })
  await drive(10)
  expect(await sent()).toEqual([])
})

test.each<[string, (teamId: TeamId) => Promise<unknown>]>([
  ['leaves', teamId => scene.leo.call.teams.leave({ teamId })],
  ['is removed', teamId => scene.ana.call.teams.removeMember({ teamId, userId: scene.leo.id })],
  [
    'becomes a viewer',
    teamId => scene.ana.call.teams.setRole({ teamId, userId: scene.leo.id, role: 'viewer' }),
  ],
])('automatic PIT is off once its sender %s (M8, R14)', async (_, endRight) => {
  const { ana, leo } = scene
  const { sessionId, team, drive, sent } = await race()
  await leo.call.stints.setAutoPit({ sessionId, on: true })
  const wall = await subscribedConnection(ana, `session:${sessionId}`)
  await endRight(team.id)
  expect(await wall.next('race-changed')).toMatchObject({ session: sessionId })
  expect((await ana.call.carRaces.ofSession({ sessionId })).autoPit).toBe(false)
  await drive(11)
  expect(await sent()).toEqual([])
  // Another member may turn it on again.
  await ana.call.stints.setAutoPit({ sessionId, on: true })
  await drive(1)
  expect(await sent()).toEqual([byPlan])
})

test('automatic PIT of another member stays on', async () => {
  const { ana, leo } = scene
  const { sessionId, team, drive, sent } = await race()
  await ana.call.stints.setAutoPit({ sessionId, on: true })
  await leo.call.teams.leave({ teamId: team.id })
  await drive(11)
  expect(await sent()).toEqual([byPlan])
})

test('a refused PIT of the plan is logged', async () => {
  const { sessionId, drive, sent, lines } = await race()
  await scene.ana.call.stints.setAutoPit({ sessionId, on: true })
  await scene.ana.call.sessions.setDataLink({ sessionId, dataLink: false })
  await drive(11)
  expect(await sent()).toEqual([])
  expect(lines).toContainEqual(expect.objectContaining({ sessionId, code: 'data-link-off' }))
})
