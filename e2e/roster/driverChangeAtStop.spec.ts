import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { exampleCar, exampleRace } from '#testing/exampleRace.ts'
import { test } from '../fixtures.ts'
import { changeResponse, hold, recordCalls, refuse, respondWith } from '../mockApi.ts'
import { inPits } from '../raceAnswers.ts'
import { addRoster, driverButton, names, planOf, stintsOf } from './twoDrivers.ts'

const here = { latitude: 50.4372, longitude: 5.9714 }

test('a pit stop proposes the planned driver: one tap accepts, and it can be dismissed', async ({
  scene,
  session,
  phone,
  gps,
}) => {
  const { leo, ana } = await addRoster(scene.ana, scene.team.id)
  const proposal = phone.getByRole('region', { name: 'Driver change?' })
  const stop = (startedAt: number, more: Partial<StoredCarRace> = {}) =>
    changeResponse(phone, 'carRaces.ofSession', (race: StoredCarRace) => ({
      ...inPits(race, { startedAt, endedAt: null, stoppedAt: startedAt + 1, leftAt: null }),
      ...more,
    }))
  // Without a visit to the pits a stop proposes nothing.
  await gps({ ...here, speed: 0 })
  await expect(driverButton(phone, names.leo)).toBeVisible()
  await expect(proposal).toBeHidden()

  await stop(session.startedAt + 1)
  await phone.reload()
  await proposal.getByRole('button', { name: 'Choose driver' }).tap()
  await expect(phone.getByRole('region', { name: 'Driver change', exact: true })).toBeVisible()
  await phone.getByRole('button', { name: 'Close' }).tap()
  await proposal.getByRole('button', { name: 'No driver change' }).tap()
  await expect(proposal).toBeHidden()

  await stop(session.startedAt + 1, {
    race: exampleRace({ startedAt: session.startedAt - 30 * 60_000 }),
    plan: planOf(leo, ana),
  })
  await phone.reload()
  await proposal
    .getByRole('button', { name: 'Driver change? Leo Garnier to Ana Lindqvist, planned' })
    .tap()
  await expect(driverButton(phone, names.ana)).toBeVisible()
  await expect(proposal).toBeHidden()
  await expect
    .poll(() => stintsOf(scene.ana, session))
    .toMatchObject([{ driverId: leo }, { driverId: ana }])
})

test('a stop shows driver change and litres, also on a television', async ({
  scene,
  session,
  phone,
  open,
  messageUrl,
}) => {
  await expect(phone.getByText('Online')).toBeVisible()
  const { leo, ana } = await addRoster(scene.ana, scene.team.id)
  const startedAt = session.startedAt - 30 * 60_000
  const stopAt = session.startedAt + 1
  let endedAt: number | null = null
  const stopped = (race: StoredCarRace): StoredCarRace => ({
    ...inPits(race, { startedAt: stopAt, endedAt: null, stoppedAt: stopAt + 1, leftAt: null }),
    car: exampleCar({ burnL: 2 }),
    race: exampleRace({ startedAt, endedAt }),
    fills: [{ id: randomUUID(), kind: 'start', at: startedAt, litres: 40 }],
    plan: planOf(leo, ana),
  })
  const page = await open(scene.ana, { viewport: { width: 1440, height: 900 } })
  await changeResponse(page, 'carRaces.ofSession', stopped)
  const lane = page.getByRole('article')
  const change = page.getByRole('region', { name: 'Driver change?' })
  const wall = `/teams/${scene.team.id}/wall`
  for (const [url, keys] of [
    [wall, 3],
    [`${wall}?big`, 0],
  ] as const) {
    await page.goto(url)
    await expect(change).toContainText(/OutLeo Garnier.*InAna Lindqvist by plan/)
    await expect(lane.getByRole('region', { name: 'Litres' })).toContainText('52 L')
    await expect(lane.getByRole('region').getByRole('button')).toHaveCount(keys)
  }

  // The new driver arrives before the race that has the change.
  await page.goto(messageUrl)
  await expect(change).toContainText('OutLeo Garnier')

  // A problem keeps the stop in reach, with the litres that somebody has chosen.
  const amount = page.getByRole('region', { name: 'Litres' })
  await page.getByRole('button', { name: 'One litre less' }).click({ clickCount: 60 })
  await expect(amount.getByRole('button', { name: 'No fuel taken' })).toBeVisible()
  await page.getByRole('button', { name: 'One litre more' }).click({ clickCount: 51 })
  await expect(amount).toContainText('51 L')
  await phone.mouse.move(100, 200)
  await phone.mouse.down()
  const gotIt = page.getByRole('button', { name: /^Got it/ })
  await expect(gotIt).toBeVisible()
  await phone.mouse.up()
  await expect(page.getByText(/^Pit stop [\d:]+$/)).toBeVisible()
  await expect(change).toContainText('InAna Lindqvist')
  await expect(amount).toContainText('51 L')
  await gotIt.click()
  await expect(amount).toContainText('51 L')
  await expect(amount.getByRole('button', { name: 'Save 51 L, full tank' })).toBeVisible()
  await refuse(page, 'fills.add', 'server-error')
  const fills = recordCalls(page, 'fills.add')
  await amount.getByRole('button', { name: 'Save 51 L, part of a tank' }).click()
  await expect.poll(() => fills.map(each => each.postDataJSON().kind)).toEqual(['part'])

  // An unread order leaves clock and litres on a phone, too, and beside the map.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'GO', exact: true }).click()
  await expect(page.getByText(/^Pit stop [\d:]+$/)).toBeVisible()
  await expect(amount).toContainText('51 L')
  await expect(change).toContainText('InAna Lindqvist')
  await page.getByRole('button', { name: 'Map' }).click()
  await expect(page.getByText(/^Pit stop [\d:]+$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask ?' })).toBeVisible()
  await expect(amount).toContainText('51 L')
  await page.getByRole('button', { name: 'CLEAR', exact: true }).click()

  const release = await hold(page, 'carRaces.ofSession')
  const stint = { stintId: randomUUID(), driverId: ana }
  await scene.ana.call.stints.add({ sessionId: session.id, ...stint })
  await expect(page.getByRole('heading', { name: /Ana Lindqvist/ })).toBeVisible()
  await expect(change).toContainText(/OutLeo Garnier.*InAna Lindqvist/)
  await release()
  await expect(page.getByRole('region', { name: 'Driver change', exact: true })).toBeVisible()
  await scene.ana.call.stints.remove({ sessionId: session.id, stintId: stint.stintId })

  endedAt = stopAt
  await page.goto(wall)
  await expect(lane).toContainText('is over')
  await expect(lane.getByRole('region')).toHaveCount(0)
})

test('after a change at a stop the fuel entry opens next, but not on the wall', async ({
  scene,
  session,
  open,
  messageUrl,
}) => {
  const { ana } = await addRoster(scene.ana, scene.team.id)
  const race = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  const visit = { startedAt: session.startedAt, endedAt: null, stoppedAt: null, leftAt: null }
  const stopped: StoredCarRace = { ...inPits(race, visit), car: exampleCar() }
  const next = {
    id: randomUUID(),
    number: 2,
    sessionId: session.id,
    driverId: ana,
    from: Date.now(),
    to: null,
  }
  const page = await open(scene.ana, { viewport: { width: 1440, height: 900 } })
  await respondWith(page, 'carRaces.ofSession', stopped)
  await respondWith(page, 'stints.add', { ...stopped, stints: [...race.stints, next] })
  const choice = page.getByRole('dialog', { name: /^Who drives .*next\?$/ })
  const refuel = page.getByRole('dialog', { name: 'How many litres went in?' })
  const change = async () => {
    await expect(choice).toBeVisible()
    await choice.getByRole('button', { name: /Ana Lindqvist/ }).click()
    await expect(page.getByText('Ana Lindqvist is in car 17')).toBeVisible()
  }
  await page.goto(messageUrl)
  await page.getByRole('button', { name: 'Change driver' }).click()
  await expect(choice).toContainText('Refuel opens next.')
  await change()
  await refuel.getByLabel('Litres').fill('41')
  await refuel.getByRole('button', { name: 'Cancel' }).click()
  await expect(refuel).toBeHidden()

  await page.goto(`/teams/${scene.team.id}/wall`)
  await page.getByRole('button', { name: 'Driver', exact: true }).click()
  await expect(choice).not.toContainText('Refuel opens next.')
  await change()
  await expect(choice).toBeHidden()
  await expect(refuel).toBeHidden()
})
