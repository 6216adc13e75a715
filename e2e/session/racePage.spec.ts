import { expect } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { PlanChange } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleLap } from '#testing/exampleRace.ts'
import { createRace } from '#testing/people/createRace.ts'
import { oneCarRace } from '#testing/people/raceScene.ts'
import { addCar, addDriver, newCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { changeResponse, hold, refuse } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'

const tank = { tankL: 50 }
const small = { viewport: { width: 320, height: 568 } }

test('on the smallest phone the plan of a race follows from its answers', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana, small)
  await page.goto(`/teams/${teamId}/races/new`)
  await page.getByRole('button', { name: 'Other' }).click()
  await expect(page.getByText('0:12 is 12 minutes.')).toBeVisible()
  await page.getByLabel('Hours').fill('4')
  await page.getByLabel('Longest stint').fill('70')
  const summary = page.getByRole('link', { name: '4 stints, 3 stops. Plan' })
  await expect(summary).toBeInViewport()
  await summary.click()
  const rows = page.getByRole('row').filter({ hasText: 'Driver not chosen' })
  await expect(rows).toHaveCount(4)
  for (const row of await rows.all())
    expect((await row.boundingBox())?.height).toBeLessThanOrEqual(84)
})

test('a race that is over shows what each car drove, and folds its corrections', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId } = await oneCarRace(ana)
  await ana.call.races.end({ raceId })
  const page = await open(ana)
  const began = (await ana.call.races.list({ teamId }))[0]?.startedAt ?? 0
  const startedAt = began - 60_000
  const lap = { kind: 'full', timeMs: 96_000, yellow: true } as const
  await changeResponse<StoredCarRace>(page, 'carRaces.ofRace', stored => ({
    ...stored,
    race: stored.race && { ...stored.race, startedAt },
    phones: stored.phones.map(phone => ({
      ...phone,
      laps: [exampleLap(1, { ...lap, startedAt })],
    })),
  }))
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const result = page.getByRole('table', { name: 'Result' })
  await expect(result.getByRole('row').nth(1)).toHaveText('17101:36.0yellow')
  const ways = page.getByRole('list', { name: 'What each car drove' })
  for (const way of ['Laps', 'Message log', 'Replay'])
    await expect(ways.getByRole('link', { name: `${way}, Car 17` })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Clock' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Correct', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'How long?' })).toBeVisible()
  await page.getByRole('button', { name: 'Clock' }).click()
  await expect(page.getByRole('dialog').getByLabel('Started at')).toBeVisible()
})

test('a new race proposes rules, drivers and times of the last one', async ({ open, person }) => {
  const ana = await person('Ana')
  const { teamId, raceId, carId } = await oneCarRace(ana)
  await addDriver(ana, teamId, 'Mia')
  const leo = await addDriver(ana, teamId, 'Leo')
  const rules = { ...noRules, maxStintMs: 70 * 60_000 }
  await ana.call.races.save({ teamId, race: { id: raceId, rules } })
  const changes: PlanChange[] = [
    { kind: 'drivers', driverIds: [leo.id] },
    { kind: 'stop', stopMs: 50_000 },
    { kind: 'lap', lapMs: 95_000 },
  ]
  for (const change of changes) await ana.call.races.changePlan({ raceId, carId, change })
  await ana.call.races.end({ raceId })
  const page = await open(ana, small)
  await page.goto(`/teams/${teamId}/races/new`)
  await expect(page.getByLabel('Longest stint')).toHaveValue('70')
  await expect(page.getByLabel('Usual lap')).toHaveValue('1:35')
  await page.getByRole('button', { name: '6 h' }).click()
  await expect(page.getByText(/Saved for the team at/)).toBeVisible()
  await expect(page.getByLabel('Usual lap')).toHaveValue('1:35')
  await expect(page.getByLabel('A stop takes')).toHaveValue('0:50')
  const [next] = await ana.call.races.list({ teamId })
  expect(next).toMatchObject({ rules, endedAt: null })
  const plan = await ana.call.races.plan({ raceId: next!.id, carId })
  expect(plan).toMatchObject({ driverIds: [leo.id], stopMs: 50_000, lapMs: 95_000 })
})

test('the start of a new race is saved while the plans of the last one are copied', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId, carId } = await oneCarRace(ana)
  const stop: PlanChange = { kind: 'stop', stopMs: 50_000 }
  await ana.call.races.changePlan({ raceId, carId, change: stop })
  await ana.call.races.end({ raceId })
  const page = await open(ana)
  const release = await hold(page, 'races.changePlan')
  await page.goto(`/teams/${teamId}/races/new`)
  await page.getByRole('button', { name: '2 h', exact: true }).click()
  await page.getByLabel('Day').fill('2030-12-05')
  await page.getByLabel('Start', { exact: true }).fill('1400')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Start', { exact: true })).toHaveValue('14:00')
  const next = async () => (await ana.call.races.list({ teamId })).find(race => !race.endedAt)
  await expect.poll(async () => (await next())?.startsAt).toEqual(expect.any(Number))
  await release()
  await expect(page.getByLabel('A stop takes')).toHaveValue('0:50')
})

test('the plans of the last race are copied by a retry, without what a member entered', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId, carId } = await oneCarRace(ana)
  const [mia, leo] = [await addDriver(ana, teamId, 'Mia'), await addDriver(ana, teamId, 'Leo')]
  const save = (raceId: string, change: PlanChange) =>
    ana.call.races.changePlan({ raceId, carId, change })
  await save(raceId, { kind: 'drivers', driverIds: [leo.id] })
  await save(raceId, { kind: 'stop', stopMs: 50_000 })
  await ana.call.races.end({ raceId })
  const page = await open(ana)
  const restore = await refuse(page, 'races.changePlan', 'unreachable')
  await page.goto(`/teams/${teamId}/races/new`)
  await page.getByRole('button', { name: '6 h' }).click()
  await expect(errorOn(page)).toContainText('The race was not saved')
  const id = (await ana.call.races.list({ teamId })).find(race => race.endedAt === null)!.id
  await save(id, { kind: 'drivers', driverIds: [mia.id] })
  restore()
  await expect(page.getByRole('button', { name: '6 h' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: '12 h' }).click()
  await expect(page.getByText(/Saved for the team at/)).toBeVisible()
  await expect(page.getByLabel('A stop takes')).toHaveValue('0:50')
  const plan = await ana.call.races.plan({ raceId: id, carId })
  expect(plan).toMatchObject({ driverIds: [mia.id], stopMs: 50_000 })
})

test('the fuel at the start that nobody entered is entered in one tap, also later', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId, sessionId, carId } = await oneCarRace(ana)
  await ana.call.roster.saveCar({ teamId, car: { ...newCar('17'), id: carId, tankL: 60 } })
  const litres = async () =>
    (await ana.call.carRaces.ofSession({ sessionId })).fills.map(fill => fill.litres)
  const page = await open(ana, small)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const missing = page.getByRole('list', { name: 'Fuel at the start not entered' })
  await expect(missing).toContainText('A full tank is assumed: 60 L.')
  await missing.getByRole('button', { name: 'Other amount at the start: car 17' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Litres', { exact: true }).fill('41')
  await dialog.getByRole('button', { name: 'Save 41 L' }).click()
  await expect(dialog).toBeHidden()
  await expect(missing).toHaveCount(0)
  expect(await litres()).toEqual([41])

  await ana.call.fills.setStart({ sessionId, litres: null })
  await page.goto(`/teams/${teamId}`)
  await missing.getByRole('button', { name: 'Full, 60 L at the start: car 17' }).click()
  await expect(missing).toHaveCount(0)
  expect(await litres()).toEqual([60])
})

test("the team's page asks for the fuel of a car beside the race, too", async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const [racing, beside] = [await addCar(ana, teamId, '17'), await addCar(ana, teamId, '44', tank)]
  await createRace(ana, teamId, { hours: 6, carIds: [racing.id] })
  const session = { teamId, name: 'Beside', carId: beside.id }
  const { id: sessionId } = await ana.call.sessions.start(session)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  const missing = page.getByRole('list', { name: 'Fuel at the start not entered' })
  await missing.getByRole('button', { name: 'Full, 50 L at the start: car 44' }).click()
  await expect(missing).toHaveCount(0)
  const { race, fills } = await ana.call.carRaces.ofSession({ sessionId })
  expect(race).toBeNull()
  expect(fills).toMatchObject([{ kind: 'start', litres: 50 }])
})

test("the team's page names the next stop as the page of the race does", async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId, raceId, sessionId, carId } = await oneCarRace(ana)
  const car = { ...newCar('17'), id: carId, tankL: 20, burnL: 2 }
  await ana.call.roster.saveCar({ teamId, car })
  await ana.call.races.changePlan({ raceId, carId, change: { kind: 'lap', lapMs: 100_000 } })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}`)
  const board = page.getByRole('region', { name: 'Zolder' })
  const stop = board.getByText('Next stop').locator('..')
  await expect(stop).toHaveText(/^Next stop17\d+ laps/)
  // Somebody else changes the fuel.
  await ana.call.fills.setStart({ sessionId, litres: 6 })
  await expect(stop).toHaveText('Next stop17this lap fuel')
  await board.getByRole('link', { name: 'Plan' }).click()
  const next = page.getByRole('region', { name: 'Next stop' })
  await expect(next).toContainText('this lap')
  await expect(next).toContainText('fuel')
})

test("on a low screen the team's page leads to the messages of a car at once", async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { teamId } = await oneCarRace(ana)
  const page = await open(ana, small)
  await page.goto(`/teams/${teamId}`)
  const plate = page.getByRole('link', { name: 'Messages to car 17' })
  await expect(plate).toBeInViewport({ ratio: 1 })
  const tops = ['Message', 'Drive'].map(
    async name => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y,
  )
  const [message = 0, drive = 0] = await Promise.all(tops)
  expect(message).toBeLessThan(drive)
  await plate.click()
  await expect(page.getByRole('region', { name: 'Current message' })).toBeVisible()
})

test('the rules of a race that runs open at the rules', async ({ open, person }) => {
  const ana = await person('Ana')
  const { teamId, raceId } = await oneCarRace(ana)
  const page = await open(ana, small)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Which rules?' })).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'How long?' })).not.toBeInViewport()
})

test('on a phone the plan of a race that runs is above its phones', async ({ open, person }) => {
  const ana = await person('Ana')
  const { teamId, raceId } = await oneCarRace(ana)
  const page = await open(ana, small)
  await page.goto(`/teams/${teamId}/races/${raceId}`)
  const topOf = async (name: string | RegExp) =>
    (await page.getByRole('region', { name }).boundingBox())?.y ?? 0
  await expect(page.getByRole('region', { name: 'Phone in the car' })).toBeVisible()
  expect(await topOf('No stop left')).toBeLessThan(await topOf(/^Stints$/))
  expect(await topOf(/^Stints$/)).toBeLessThan(await topOf('Phone in the car'))
})
