import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { Session } from '#contract/sessions.ts'
import { mayEndAfterSilenceMs } from '#contract/shared/silence.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { addCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { changeResponse, hold, refuse, stubLiveConnection } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'

// spec: NS-1 NS-2 NS-3 NS-4 NS-5
test('a session is started by its name, and its drive screen opens', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/new`)
  await expect(
    page.getByRole('heading', { name: 'New Session (FOR DRIVERS ONLY)', exact: true }),
  ).toBeVisible()
  await expect(page.getByText('Enter a new race session')).toBeVisible()
  await expect(
    page.getByText('Some series forbid data transmission between the pits and the car.'),
  ).toContainText('Check the rules of your series before you start.')
  await expect(page.getByText('your team sees your position and speed.')).toBeVisible()
  const privacy = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'What is stored' }).click()
  await expect(
    (await privacy).getByRole('region', { name: 'What is stored, and for how long' }),
  ).toContainText('Positions: 400 days')
  await (await privacy).close()
  await expect(page.getByRole('link', { name: 'Back to Northline Racing' })).toHaveAttribute(
    'href',
    `/teams/${teamId}`,
  )
  const name = page.getByRole('textbox')
  await expect(name).toHaveCount(1)
  await expect(name).toHaveAccessibleName('Name')
  await expect(name).toHaveAttribute('placeholder', 'Enter session name')
  const start = page.getByRole('button', { name: 'Start' })
  await expect(start).toBeDisabled()
  await name.fill('  ')
  await name.blur()
  await expect(start).toBeDisabled()
  await expect(name).toHaveAccessibleDescription('Enter a session name.')

  await name.fill('Friday practice 1')
  await expect(start).toBeEnabled()
  const release = await hold(page, 'sessions.start')
  await start.click()
  await expect(start).toBeDisabled()
  await release()
  await expect(page).toHaveURL(/\/teams\/[\da-f-]{36}\/[\da-f-]{36}\/drive\?checks$/)
  const [session] = await ana.call.sessions.listActive({ teamId })
  expect(session).toMatchObject({ name: 'Friday practice 1', status: 'Active' })
  expect(page.url()).toContain(session!.id)
})

// spec: NS-6 ER-3
test('a session that failed to start shows an error, keeps its name and can be retried', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/new`)
  const restore = await refuse(page, 'sessions.start', 'unreachable')
  const name = page.getByLabel('Name')
  await name.fill('Friday practice 1')
  const start = page.getByRole('button', { name: 'Start' })
  await start.click()
  const error = errorOn(page)
  await expect(error).toContainText('Session not started')
  await expect(error).toContainText('The server did not respond.')
  await expect(start).toBeEnabled()
  await expect(name).toHaveValue('Friday practice 1')

  restore()
  await start.click()
  await expect(page).toHaveURL(/\/drive\?checks$/)
  await expect(error).toHaveCount(0)
})

test('a driver of a team with several cars chooses one on the smallest phone', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  for (const number of ['17', '44']) await addCar(ana, teamId, number)
  const page = await open(ana, { viewport: { width: 320, height: 568 } })
  await page.goto(`/teams/${teamId}/new`)
  const start = page.getByRole('button', { name: 'Start' })
  await expect(start).toBeInViewport({ ratio: 1 })
  await start.click()
  await expect(page.getByRole('alert')).toHaveText('Choose the car that you drive.')
  await page.getByRole('button', { name: 'Car 44' }).click()
  await start.click()
  await expect(page).toHaveURL(/\/drive\?checks$/)
  const [session] = await ana.call.sessions.listActive({ teamId })
  expect(session).toMatchObject({ car: { number: '44' }, name: expect.stringMatching(/^Car 44, /) })
})

test('the proposed name follows car and race until another is typed', async ({ open, person }) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  for (const number of ['17', '44']) await addCar(ana, teamId, number)
  const race = { id: randomUUID(), name: 'Night 12', length: { in: 'laps', laps: 9 } } as const
  await ana.call.races.save({ teamId, race })
  const page = await open(ana, { viewport: { width: 844, height: 390 } })
  await page.goto(`/teams/${teamId}/new`)
  const name = page.getByLabel('Name')
  const car = (number: string) => page.getByRole('button', { name: `Car ${number}` })
  const start = page.getByRole('button', { name: 'Start' })
  for (const each of [car('17'), car('44'), name, start, page.locator('summary')])
    await expect(each).toBeInViewport({ ratio: 1 })
  await car('17').click()
  await expect(name).toHaveValue('Car 17, Night 12')
  await car('44').click()
  await expect(name).toHaveValue('Car 44, Night 12')
  await name.fill('Rain')
  await car('17').click()
  await expect(name).toHaveValue('Rain')
  await expect(start).toBeEnabled()
})

test('the form names the race that is over in which another phone keeps the car', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo], 'Northline Racing')
  const { id: carId } = await addCar(ana, teamId, '17')
  const raceId = await createRace(ana, teamId, { hours: 1, name: 'Sprint Five' })
  const { id: sessionId } = await leo.call.sessions.start({ teamId, name: 'Car 17', carId })
  await ana.call.races.end({ raceId })
  await createRace(ana, teamId, { name: 'Third' })
  const page = await open(ana, { viewport: { width: 390, height: 844 } })
  await page.goto(`/teams/${teamId}/new`)
  const name = page.getByLabel('Name')
  const held = page.getByText("Leo's phone keeps this car in Sprint Five, which is over.")
  await expect(name).toHaveValue('Car 17, Sprint Five')
  await expect(held).toBeInViewport({ ratio: 1 })
  // A phone that has been silent for five minutes does not keep it, unless its data link is off.
  for (const dataLink of [true, false]) {
    const later = await open(ana)
    await stubLiveConnection(later)
    await changeResponse<Session[]>(later, 'sessions.listActive', sessions =>
      sessions.map(each => {
        const startedAt = each.startedAt - mayEndAfterSilenceMs
        return { ...each, startedAt, dataLink }
      }),
    )
    await later.goto(`/teams/${teamId}/new`)
    const joined = dataLink ? 'Third' : 'Sprint Five'
    await expect(later.getByLabel('Name')).toHaveValue(`Car 17, ${joined}`)
  }

  await leo.call.sessions.end({ sessionId })
  await expect(name).toHaveValue('Car 17, Third')
  await expect(held).toHaveCount(0)
})
