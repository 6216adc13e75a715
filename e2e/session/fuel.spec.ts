import { expect } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar } from '#testing/people/roster.ts'
import { routeCall } from '../callRoutes.ts'
import { test } from '../fixtures.ts'
import { changeResponse } from '../mockApi.ts'
import { inPits } from '../raceAnswers.ts'
import { errorOn, successOn } from '../toasts.ts'

test('a fill is entered, corrected, removed and restored, and other screens show it', async ({
  open,
  person,
}) => {
  const [ana, leo] = [await person('Ana'), await person('Leo')]
  const { id: teamId } = await createTeam(ana, [leo])
  const carId = await saveCar(ana, teamId)
  const session = await leo.call.sessions.start({ teamId, name: 'Zolder', carId })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${session.id}/message`)
  const line = page.getByRole('button', { name: /Refuel/ })
  await expect(line).toContainText('92 L assumed')

  await line.click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('How many litres were in the tank at the start?')
  await sheet.getByLabel('Litres').fill('60')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(line).toContainText('60 L')
  await expect(line).not.toContainText('assumed')

  await line.click()
  await sheet.getByLabel('Litres').fill('12,5')
  await sheet.getByRole('button', { name: 'One litre more' }).click()
  await expect(sheet.getByLabel('Litres')).toHaveValue('14')
  await sheet.getByLabel('Litres').press('Enter')
  await expect(line).toContainText('74 L')
  const fills = () =>
    leo.call.carRaces
      .ofSession({ sessionId: session.id })
      .then(race => race.fills.map(f => [f.litres, f.kind]))
  // Enter asserts no full tank.
  const start = [60, 'start']
  await expect.poll(fills).toEqual([start, [14, 'part']])

  await line.click()
  await sheet.getByRole('button', { name: /Remove the fill/ }).click()
  await expect(sheet.getByRole('status')).toContainText('Fill removed')
  await expect.poll(fills).toEqual([start])
  await sheet.getByRole('button', { name: 'Undo' }).click()
  await expect(sheet.getByRole('button', { name: /Remove the fill/ })).toBeVisible()
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await expect(line).toContainText('74 L')
})

test('on the wall a full tank that nobody entered is a key to the litres', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const carId = await saveCar(ana, teamId)
  await ana.call.sessions.start({ teamId, name: 'Zolder', carId })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  const key = lane.getByRole('button', { name: '92 L' })
  await expect(key).toBeVisible()
  await expect(lane).toContainText('Fuel assumed')
  await page.keyboard.press('l')
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('How many litres were in the tank at the start?')
  // The focus is not on the key that saves: the assumed tank is not an entry.
  await expect(sheet.getByRole('button', { name: 'One litre less' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sheet.getByLabel('Litres', { exact: true })).toHaveValue('91')
  await sheet.getByLabel('Litres', { exact: true }).fill('60')
  await sheet.getByRole('button', { name: 'Save 60 L' }).click()
  await expect(lane).toContainText('60 L')
  await expect(key).toHaveCount(0)
})

test('on a low screen More opens the fuel entry while a message is shown', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const carId = await saveCar(ana, teamId)
  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Zolder', carId })
  const page = await open(ana)
  await page.setViewportSize({ width: 320, height: 568 })
  await page.goto(`/teams/${teamId}/${sessionId}/message`)
  const line = page.getByRole('button', { name: /Refuel/ })
  await expect(line).toBeVisible()
  await page.getByRole('button', { name: 'PUSH', exact: true }).click()
  await expect(line).toBeHidden()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: /^Refuel ?Pit in.* 92 L assumed$/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Change the fuel at the start' })).toBeVisible()
})

test('after a lost response the corrected litres are stored, at the time of the stop', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const carId = await saveCar(ana, teamId)
  const session = await ana.call.sessions.start({ teamId, name: 'Zolder', carId })
  const sessionId = session.id
  const page = await open(ana)
  const leftAt = session.startedAt + 2
  const visit = { startedAt: leftAt - 1, stoppedAt: leftAt - 1, leftAt, endedAt: leftAt + 1 }
  await changeResponse<StoredCarRace>(page, 'carRaces.ofSession', race => inPits(race, visit))
  await page.goto(`/teams/${teamId}/${sessionId}/message`)
  await page.getByRole('button', { name: /Litres\? Enter$/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Litres').fill('58')
  let tries = 0
  await routeCall(page, 'fills.add', async route => {
    tries += 1
    if (tries > 1) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await sheet.getByRole('button', { name: 'Filled to full' }).click()
  await expect(sheet.getByRole('alert')).toBeVisible()
  await expect(sheet.getByText('58 L, full')).toBeVisible()
  await sheet.getByLabel('Litres').fill('62')
  await sheet.getByRole('button', { name: 'Filled to full' }).click()
  await expect(sheet).toBeHidden()
  const { fills } = await ana.call.carRaces.ofSession({ sessionId })
  expect(fills).toMatchObject([{ litres: 62, at: leftAt }])
})

test('fuel at the start that another member entered first is not replaced', async ({
  open,
  person,
}) => {
  const ana = await person('Ana')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const carId = await saveCar(ana, teamId)
  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Zolder', carId })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${sessionId}/message`)
  await page.getByRole('button', { name: /Refuel/ }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Litres').fill('60')
  await ana.call.fills.setStart({ sessionId, litres: 75 })
  await sheet.getByRole('button', { name: 'Save' }).click()
  await expect(sheet.getByRole('alert')).toContainText('It is now 75 L.')
  const { fills } = await ana.call.carRaces.ofSession({ sessionId })
  expect(fills).toMatchObject([{ litres: 75 }])
})

test('a full tank is not assumed over litres that another member entered first', async ({
  open,
  person,
}) => {
  const ana = await person('Ana', 'Lindqvist')
  const { id: teamId } = await ana.call.teams.create({ name: 'Northline Racing' })
  const carId = await saveCar(ana, teamId)
  const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Zolder', carId })
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${sessionId}/message`)
  const line = page.getByRole('button', { name: /Refuel/ })
  const sheet = page.getByRole('dialog')
  const assumeFull = sheet.getByRole('button', { name: 'Assume full' })
  await line.click()
  await expect(assumeFull).toBeVisible()
  await ana.call.fills.setStart({ sessionId, litres: 75 })
  await assumeFull.click()
  await expect(errorOn(page)).toContainText('Ana Lindqvist has entered 75 L meanwhile.')
  await expect(line).toContainText('75 L')

  await line.click()
  await sheet.getByRole('button', { name: 'Change the fuel at the start' }).click()
  await assumeFull.click()
  await expect(line).toContainText('92 L assumed')
  await expect(successOn(page)).toHaveCount(0)
  await expect(errorOn(page)).toHaveCount(0)
})

async function saveCar(member: Person, teamId: string): Promise<string> {
  return (await addCar(member, teamId, '17', { tankL: 92, reserveL: 4, burnL: 1.9 })).id
}
