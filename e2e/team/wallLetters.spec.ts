import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { exampleCar, exampleDrivers, exampleRace } from '#testing/exampleRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { startInCar } from '#testing/people/roster.ts'
import { test } from '../fixtures.ts'
import { respondWithRace } from '../raceAnswers.ts'

test('a lane has the letters that act on it, and none while shortcuts are off', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const first = await startInCar(ana, teamId, { number: '7' })
  const second = await startInCar(leo, teamId, { number: '8' })
  // The car that is second on the wall reports first.
  for (const [driver, { id }] of [
    [leo, second],
    [ana, first],
  ] as const) {
    const phone = await (await driver.connect()).keepAlive().drive(id)
    phone.send({ t: 'answer', id: randomUUID(), kind: 'Problem', version: 0, at: Date.now() })
    await phone.next('answer')
  }
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  const drivers = exampleDrivers(['Mia Lang', 'Noor Haddad'])
  const driverIds = drivers.map(({ id }) => id)
  const startedAt = Date.now() - 30_000
  await respondWithRace(page, () => ({
    car: exampleCar(),
    race: exampleRace(),
    drivers,
    plan: { driverIds, stopMs: null, lapMs: null, stints: [] },
    phone: { visits: [{ startedAt, endedAt: null, stoppedAt: startedAt, leftAt: null }] },
  }))
  await page.goto(`/teams/${teamId}/wall`)
  const lanes = page.locator('[data-lane]')
  const letters = () =>
    Promise.all([0, 1].map(index => lanes.nth(index).locator('button kbd:visible').allInnerTexts()))
  await expect(lanes.getByRole('button', { name: /^Got it/ })).toHaveCount(2)
  await expect(lanes.getByRole('button', { name: 'Enter' })).toHaveCount(2)

  await expect.poll(letters).toEqual([['D', 'L', 'K'], []])
  await page.keyboard.press('8')
  await expect.poll(letters).toEqual([[], ['D', 'L', 'K']])
  await page.keyboard.press('k')
  // Without a problem of the chosen car, that of another one.
  await expect.poll(letters).toEqual([['K'], ['D', 'L']])
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).last().click()
  await expect.poll(letters).toEqual([[], []])
  await expect(lanes.locator('kbd:visible')).toHaveCount(0)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).last().click()
  await page.keyboard.press('k')
  await expect.poll(letters).toEqual([[], ['D', 'L']])
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect.poll(letters).toEqual([[], []])
})

test('a typed number chooses its car, and a late order to all goes to none', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  await startInCar(ana, teamId, { number: '12' })
  await startInCar(leo, teamId, { number: '44' })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.clock.install()
  await page.goto(`/teams/${teamId}/wall`)
  const lane = (name: string) => page.getByRole('article', { name })
  await expect(lane('Car 44')).toBeVisible()
  await page.keyboard.type('44')
  await expect(lane('Car 44')).toHaveAttribute('aria-current', 'true')
  await expect(page.getByText('No car is 4')).toBeHidden()
  await page.keyboard.press('u')
  await expect(lane('Car 44')).toContainText('PUSH')
  // 1 is the key of car 12, and 2 that of car 44.
  await page.keyboard.type('12g')
  await expect(lane('Car 12')).toContainText('GO')
  await page.keyboard.press('0')
  const all = page.getByRole('button', { name: 'All', exact: true })
  await expect(all).toHaveAttribute('aria-pressed', 'true')
  await page.clock.fastForward(6000)
  await expect(all).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('e')
  await expect(page.getByText('Choose the car again.')).toBeVisible()
  await page.keyboard.press('1')
  await page.keyboard.press('u')
  await expect(lane('Car 12')).toContainText('PUSH')
})
