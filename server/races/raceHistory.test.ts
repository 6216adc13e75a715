import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { createRace } from '#testing/people/createRace.ts'
import { newCar, newDriver } from '#testing/people/roster.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** The changes of cars, drivers and races, the oldest first. */
async function history(teamId: TeamId) {
  const { changes } = await scene.ana.call.teams.changes({ teamId })
  return changes
    .toReversed()
    .filter(({ kind }) => /^(race|plan|car|driver)-/.test(kind))
    .map(({ kind, actor, after }) => [kind, actor, after])
}

test('the history of a team names its races and plans, each once while it is typed', async () => {
  const { ana, leo } = scene
  const { team } = await scene.newSession()
  const teamId = team.id
  const id = randomUUID()
  const save = (race: object, person = ana) =>
    person.call.races.save({ teamId, race: { id, ...race } })
  const race = { name: 'Zol', length: null, rules: noRules, carIds: [] }
  await save(race)
  await save(race)
  await save({ name: 'Zolder 6 hours' })
  await save({ length: { in: 'time', ms: 360 * minuteMs } })
  expect(await history(teamId)).toEqual([['race-added', 'Ana Tester', 'Zolder 6 hours']])
  // Race and plan in turns, on one page.
  const stop = (stopMs: number) =>
    ana.call.races.changePlan({ raceId: id, carId: null, change: { kind: 'stop', stopMs } })
  await stop(70_000)
  await save({ carIds: [] })
  await stop(80_000)
  expect(await history(teamId)).toEqual([
    ['race-added', 'Ana Tester', 'Zolder 6 hours'],
    ['plan-changed', 'Ana Tester', 'Zolder 6 hours'],
  ])

  await save({ startsAt: Date.now() }, leo)
  await stop(90_000)
  await ana.call.races.start({ raceId: id })
  await ana.call.races.start({ raceId: id })
  await leo.call.races.end({ raceId: id })
  expect((await history(teamId)).slice(2)).toEqual([
    ['race-changed', 'Leo Tester', 'Zolder 6 hours'],
    ['plan-changed', 'Ana Tester', 'Zolder 6 hours'],
    ['race-started', 'Ana Tester', 'Zolder 6 hours'],
    ['race-over', 'Leo Tester', 'Zolder 6 hours'],
  ])
})

test('the history of a team names the cars and drivers that were added and removed', async () => {
  const { ana } = scene
  const { team } = await scene.newSession()
  const teamId = team.id
  const [car, driver] = [newCar('17'), newDriver('Marta Lindqvist')]
  const { roster } = ana.call
  await roster.saveCar({ teamId, car })
  await roster.saveCar({ teamId, car: { ...car, tankL: 80 } })
  await roster.saveDriver({ teamId, driver })
  await roster.removeCar({ teamId, carId: car.id })
  await roster.removeCar({ teamId, carId: car.id })
  await roster.removeDriver({ teamId, driverId: driver.id })
  expect(await history(teamId)).toEqual([
    ['car-added', 'Ana Tester', '17'],
    ['driver-added', 'Ana Tester', 'Marta Lindqvist'],
    ['car-removed', 'Ana Tester', '17'],
    ['driver-removed', 'Ana Tester', 'Marta Lindqvist'],
  ])
})

test('the history of a team names what is entered about a car, each once', async () => {
  const { ana, leo } = scene
  const { session, theo } = await scene.newSessionWithRoster()
  const sessionId = session.id
  const fill = { sessionId, fillId: randomUUID(), litres: 44, kind: 'full' as const }
  for (const { call } of [ana, leo]) await call.fills.add(fill)
  const stint = { sessionId, stintId: randomUUID(), driverId: theo.id }
  for (const { call } of [ana, leo]) await call.stints.add(stint)
  await leo.call.stints.setAutoPit({ sessionId, on: true })
  await leo.call.stints.setAutoPit({ sessionId, on: false })
  for (const dataLink of [false, false, true])
    await ana.call.sessions.setDataLink({ sessionId, dataLink })
  for (const { call } of [ana, leo]) await call.fills.remove({ sessionId, fillId: fill.fillId })
  const { changes } = await ana.call.teams.changes({ teamId: session.teamId })
  const car = `Car ${session.car?.number}, ${session.name}`
  const entries = changes
    .toReversed()
    .filter(({ after }) => after === car)
    .map(({ kind, actor, before }) => [kind, actor, before])
  expect(entries).toEqual([
    ['litres-entered', 'Ana Tester', '44'],
    ['driver-changed', 'Ana Tester', theo.name],
    ['auto-pit-on', 'Leo Tester', null],
    ['auto-pit-off', 'Leo Tester', null],
    ['data-link-off', 'Ana Tester', null],
    ['data-link-on', 'Ana Tester', null],
    ['litres-removed', 'Ana Tester', null],
  ])
})

test('the history names corrections of the phone in the car and their undo', async () => {
  const { ana, leo } = scene
  const { session } = await scene.newSessionWithRoster()
  await createRace(ana, session.teamId, { hours: 6 })
  const correction = { sessionId: session.id, correctionId: randomUUID() }
  const decisions = [{ phone: session.id, from: Date.now(), until: null }]
  for (const { call } of [ana, leo]) await call.carRaces.correctRuns({ ...correction, decisions })
  for (const { call } of [leo, ana]) await call.carRaces.undoCorrection(correction)
  const { changes } = await ana.call.teams.changes({ teamId: session.teamId })
  const phones = changes.filter(({ kind }) => kind.startsWith('phone-'))
  expect(phones.toReversed()).toMatchObject([
    { kind: 'phone-chosen', actor: 'Ana Tester' },
    { kind: 'phone-choice-undone', actor: 'Leo Tester' },
  ])
})

/** The kinds of a team's changes about the car of a session, the oldest first, with what was entered. */
async function carHistory({ teamId }: { teamId: TeamId }) {
  const { changes } = await scene.ana.call.teams.changes({ teamId })
  return changes
    .toReversed()
    .filter(({ kind }) => /^(litres|stints|auto-pit)-|^driver-changed/.test(kind))
    .map(({ kind, actor, person, before }) => [kind, actor, before ?? person])
}

test('a repeated or empty correction is no entry in the history of a team', async () => {
  const { ana, leo } = scene
  const { session, theo } = await scene.newSessionWithRoster()
  const sessionId = session.id
  const { stints, fills } = ana.call
  for (const person of [ana, ana, leo]) await person.call.stints.setAutoPit({ sessionId, on: true })
  for (const person of [ana, leo]) await person.call.stints.setAutoPit({ sessionId, on: false })
  const fillId = randomUUID()
  await fills.add({ sessionId, fillId, litres: 44, kind: 'full' })
  for (const { call } of [ana, leo])
    await call.fills.change({ sessionId, fillId, litres: 45, kind: 'full' })
  for (const litres of [60, 60, null, null]) await fills.setStart({ sessionId, litres })
  const stintId = randomUUID()
  await stints.add({ sessionId, stintId, driverId: theo.id })
  const change = { kind: 'change' as const, stintId: sessionId, from: session.startedAt }
  const { stints: entered } = await ana.call.carRaces.ofSession({ sessionId })
  const from = entered[0]?.from ?? change.from
  const edits = [{ ...change, from, driverId: null }]
  for (const { call } of [ana, leo]) await call.stints.edit({ sessionId, edits })
  for (const { call } of [ana, leo]) await call.stints.remove({ sessionId, stintId })
  expect(await carHistory(session)).toEqual([
    ['auto-pit-on', 'Ana Tester', null],
    ['auto-pit-on', 'Leo Tester', null],
    ['auto-pit-off', 'Ana Tester', null],
    ['litres-entered', 'Ana Tester', '44'],
    ['litres-entered', 'Ana Tester', '45'],
    ['litres-entered', 'Ana Tester', '60'],
    ['litres-removed', 'Ana Tester', null],
    ['driver-changed', 'Ana Tester', theo.name],
    ['stints-corrected', 'Ana Tester', null],
    ['stints-corrected', 'Ana Tester', null],
  ])
})

test('the history keeps no name of a driver whose account is deleted', async () => {
  const { session, theo } = await scene.newSessionWithRoster()
  const sessionId = session.id
  const { stints } = scene.ana.call
  for (const driverId of [theo.id, null])
    await stints.add({ sessionId, stintId: randomUUID(), driverId })
  expect((await carHistory(session)).at(-1)).toEqual(['driver-changed', 'Ana Tester', 'Leo Tester'])
  const { db } = scene.app.database
  const names = await db
    .selectFrom('team_changes')
    .select(['person_id', 'value_before'])
    .where('team_id', '=', session.teamId)
    .where('kind', '=', 'driver-changed')
    .orderBy('id')
    .execute()
  expect(names).toEqual([
    { person_id: null, value_before: theo.name },
    { person_id: scene.leo.id, value_before: null },
  ])
})
