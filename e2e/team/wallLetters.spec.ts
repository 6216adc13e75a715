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
