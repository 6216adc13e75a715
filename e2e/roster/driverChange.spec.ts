import { expect } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import { boxOf, landscape } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { changeResponse, recordCalls, refuse } from '../mockApi.ts'
import { addRoster, driverButton, names, stintsOf } from './twoDrivers.ts'

const here = { latitude: 50.4372, longitude: 5.9714 }

test('the driver changes in two taps at standstill, and the team reads the name', async ({
  scene,
  session,
  phone,
  gps,
  open,
  messageUrl,
}) => {
  await gps({ ...here, speed: 0 })
  const { leo, ana } = await addRoster(scene.ana, scene.team.id)
  await driverButton(phone, names.leo).tap()
  const panel = phone.getByRole('region', { name: 'Driver change' })
  await expect(panel.getByRole('button', { name: /Leo Garnier/ })).toBeDisabled()
  await expect(panel.getByRole('button')).toHaveCount(2)
  const choice = panel.getByRole('button', { name: /Ana Lindqvist/ })
  expect((await boxOf(choice)).height).toBeGreaterThanOrEqual(64)
  await choice.tap()
  await expect(driverButton(phone, names.ana)).toBeVisible()
  await expect(driverButton(phone, names.ana)).not.toContainText('Not sent yet')
  const stints = () => stintsOf(scene.ana, session)
  await expect.poll(stints).toMatchObject([{ driverId: leo }, { driverId: ana, to: null }])
  const pit = await open(scene.ana)
  await pit.goto(messageUrl)
  await expect(pit.getByRole('heading', { name: /Ana Lindqvist/ })).toBeVisible()
  // The phone's user stays signed in, and stays the session's driver.
  expect((await scene.leo.call.sessions.get({ sessionId: session.id })).driver.id).toBe(
    scene.leo.id,
  )

  await driverButton(phone, names.ana).tap()
  await phone.getByRole('button', { name: 'Undo: Leo Garnier continues' }).tap()
  await expect(driverButton(phone, names.leo)).toBeVisible()
  await expect.poll(async () => (await stints()).length).toBe(1)

  await gps({ ...here, speed: 30 })
  await expect(driverButton(phone, names.leo)).toBeHidden()
})

test('a message that allows a driver change makes no requests', async ({
  scene,
  phone,
  gps,
  send,
}) => {
  await addRoster(scene.ana, scene.team.id)
  await gps({ ...here, speed: 0 })
  await expect(driverButton(phone, names.leo)).toBeVisible()
  const calls = (
    ['laps.list', 'carRaces.ofSession', 'circuits.ofSession', 'sessions.get'] as const
  ).map(name => recordCalls(phone, name))
  for (const type of ['Go', 'Pit', 'Push', 'Pit', 'Go'] as const) {
    await send(type)
    await expect(phone.getByRole('alert')).toHaveText(type)
    await expect(driverButton(phone, names.leo)).toBeVisible({ visible: type === 'Pit' })
  }
  expect(calls.flat().map(request => request.url())).toEqual([])
})

test('the driver changes while PIT stays, and a new message closes the list', async ({
  scene,
  session,
  phone,
  gps,
  send,
}) => {
  await addRoster(scene.ana, scene.team.id)
  const word = phone.getByRole('alert')
  const panel = phone.getByRole('region', { name: 'Driver change', exact: true })
  await gps({ ...here, speed: 30 })
  await send('Pit')
  await expect(word).toHaveText('Pit')
  await expect(driverButton(phone, names.leo)).toBeHidden()
  await gps({ ...here, speed: 0 })
  await driverButton(phone, names.leo).tap()
  await expect(panel).toBeVisible()
  // A tap beside the drivers does not acknowledge the covered message.
  await panel.getByText('You stay signed in on this phone.').tap()
  await expect(phone.getByText('Copy')).toBeHidden()

  await send('FCY')
  await expect(word).toHaveText('FCY')
  await expect(panel).toBeHidden()
  await expect(driverButton(phone, names.leo)).toBeHidden()
  await word.tap()
  await driverButton(phone, names.leo).tap()
  await expect(panel).toBeVisible()

  await send('Pit')
  await expect(panel).toBeHidden()
  await phone.setViewportSize(landscape)
  const [button, shown] = [await boxOf(driverButton(phone, names.leo)), await boxOf(word)]
  expect(button.y).toBeGreaterThanOrEqual(shown.y + shown.height)
  await driverButton(phone, names.leo).tap()
  await panel.getByRole('button', { name: /^Ana Lindqvist/ }).tap()
  await expect(driverButton(phone, names.ana)).toBeVisible()
  await expect(word).toHaveText('Pit')
  const stints = () => stintsOf(scene.ana, session)
  await expect.poll(async () => (await stints()).length).toBe(2)
})

test('a change that the server refuses is reported, and the previous driver stays', async ({
  scene,
  phone,
  gps,
}) => {
  await addRoster(scene.ana, scene.team.id)
  await gps({ ...here, speed: 0 })
  await refuse(phone, 'stints.add', 'view-only')
  await driverButton(phone, names.leo).tap()
  await phone.getByRole('button', { name: /^Ana Lindqvist/ }).tap()
  await expect(phone.getByText('Driver not changed.')).toBeVisible()
  await expect(driverButton(phone, names.leo)).toBeVisible()
})

test('a driver at a limit, or in another car, is chosen with a warning', async ({
  scene,
  session,
  open,
  phone,
  gps,
  messageUrl,
}) => {
  const { ana } = await addRoster(scene.ana, scene.team.id)
  const startedAt = Date.now() - 3_600_000
  const limited = (race: StoredCarRace): StoredCarRace => ({
    ...race,
    otherCars: [{ driverId: ana, from: startedAt, to: null, car: '44' }],
    race: exampleRace({ rules: { ...noRules, maxDriverMs: 50 * 60_000 }, startedAt }),
  })
  const warnings = ['In car 44 now', '10 min over the limit', '0:00', 'left of 0:50']
  const page = await open(scene.ana)
  for (const each of [page, phone]) await changeResponse(each, 'carRaces.ofSession', limited)
  await gps({ ...here, speed: 0 })
  await phone.reload()
  await driverButton(phone, names.leo).tap()
  const onPhone = phone.getByRole('button', { name: /^Ana Lindqvist/ })
  for (const each of warnings) await expect(onPhone).toContainText(each)

  await page.goto(messageUrl)
  await page.getByRole('button', { name: 'Change driver' }).click()
  const choice = page.getByRole('dialog').getByRole('button', { name: /Ana Lindqvist/ })
  for (const each of warnings) await expect(choice).toContainText(each)
  await choice.click()
  const stints = () => stintsOf(scene.ana, session)
  await expect.poll(stints).toMatchObject([{}, { driverId: ana }])
})
