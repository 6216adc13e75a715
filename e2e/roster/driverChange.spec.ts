import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRace.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { exampleRace } from '#testing/exampleRace.ts'
import type { Person } from '#testing/people/person.ts'
import { waitForController, withServiceWorker } from '../app/installed.ts'
import { boxOf, landscape, phoneOptions, waitForPaint } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { changeResponse, hold, recordCalls, refuse, respondWith } from '../mockApi.ts'
import { inPits } from '../raceAnswers.ts'

const here = { latitude: 50.4372, longitude: 5.9714 }
const names = { ana: 'Ana Lindqvist', leo: 'Leo Garnier' }

const driverButton = (phone: Page, name: string) =>
  phone.getByRole('button', { name: `Driver: ${name}` })

/** Adds Ana and Leo to the roster of their team, which other tests use too. Leo is known by his name. */
async function addRoster(ana: Person, teamId: string) {
  const { drivers } = await ana.call.roster.get({ teamId })
  for (const name of Object.values(names)) {
    if (drivers.some(driver => driver.name === name)) continue
    const driver = { id: randomUUID(), name, userId: null }
    await ana.call.roster.saveDriver({ teamId, driver })
  }
  return (await ana.call.roster.get({ teamId })).drivers
}

test('the driver changes in two taps at standstill, and the team reads the name', async ({
  scene,
  session,
  phone,
  gps,
  open,
  messageUrl,
}) => {
  await gps({ ...here, speed: 0 })
  const drivers = await addRoster(scene.ana, scene.team.id)
  await driverButton(phone, names.leo).tap()
  const panel = phone.getByRole('region', { name: 'Driver change' })
  await expect(panel.getByRole('button', { name: /Leo Garnier/ })).toBeDisabled()
  await expect(panel.getByRole('button')).toHaveCount(2)
  const choice = panel.getByRole('button', { name: /Ana Lindqvist/ })
  expect((await boxOf(choice)).height).toBeGreaterThanOrEqual(64)
  await choice.tap()
  await expect(driverButton(phone, names.ana)).toBeVisible()
  await expect(driverButton(phone, names.ana)).not.toContainText('Not sent yet')
  const [leo, ana] = [names.leo, names.ana].map(
    name => drivers.find(driver => driver.name === name)?.id,
  )
  const stints = async () =>
    (await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).stints
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

test('online, a change is not sent yet only if that lasts', async ({ scene, phone, gps }) => {
  await addRoster(scene.ana, scene.team.id)
  await gps({ ...here, speed: 0 })
  const release = await hold(phone, 'stints.add')
  const devtools = await phone.context().newCDPSession(phone)
  await devtools.send('Animation.enable')
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 })
  await driverButton(phone, names.leo).tap()
  await phone.getByRole('button', { name: /^Ana Lindqvist/ }).tap()
  const note = driverButton(phone, names.ana).getByText('Not sent yet')
  await expect(note).toBeAttached()
  await expect(note).toBeHidden()
  await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 })
  await expect(note).toBeVisible()
  await release()
  await expect(note).toHaveCount(0)
})

test('a message under which the driver may change requests nothing', async ({
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

test('a change without a network shows at once, survives a reload, and is sent once', async ({
  scene,
  session,
  open,
  driveUrl,
}) => {
  await addRoster(scene.ana, scene.team.id)
  const phone = await open(scene.leo, {
    ...phoneOptions,
    ...withServiceWorker,
    geolocation: { ...here, accuracy: 4 },
  })
  await phone.goto(driveUrl)
  await expect(driverButton(phone, names.leo)).toBeVisible()
  await waitForController(phone)
  const sent = recordCalls(phone, 'stints.add')
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await driverButton(phone, names.leo).tap()
  await phone.getByRole('button', { name: /^Ana Lindqvist/ }).tap()
  const tappedAt = Date.now()
  await expect(driverButton(phone, names.ana)).toContainText('Not sent yet')

  const asked = recordCalls(phone, 'carRaces.ofSession')
  await phone.reload()
  // The driver is still shown after the last retry has failed.
  await expect
    .poll(() => asked.filter(request => request.failure() !== null).length)
    .toBeGreaterThanOrEqual(3)
  await waitForPaint(phone)
  await expect(driverButton(phone, names.ana)).toContainText('Not sent yet')
  const stored = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  expect(stored.stints).toHaveLength(1)

  await phone.context().setOffline(false)
  await expect(driverButton(phone, names.ana)).not.toContainText('Not sent yet')
  const { stints, drivers } = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  expect(stints).toHaveLength(2)
  expect(drivers.find(({ id }) => id === stints[1]?.driverId)?.name).toBe(names.ana)
  expect(Math.abs((stints[1]?.from ?? 0) - tappedAt)).toBeLessThan(5000)
  expect(sent.filter(request => request.failure() === null)).toHaveLength(1)
})

/** The key in localStorage under which the phone stores unsent driver changes. */
const driverChangesKey = 'pitboard.driverChanges'

test('signing out names unsent driver changes, and deletes only those of the user', async ({
  open,
  person,
  session,
}) => {
  const leo = await person('Leo', 'Garnier')
  const phone = await open(leo)
  await refuse(phone, 'stints.add', 'unreachable')
  const change = { kind: 'add', sessionId: session.id, driverId: null, after: 0, at: Date.now() }
  const stored = [leo.id, randomUUID()].map(userId => ({
    ...change,
    stintId: randomUUID(),
    userId,
  }))
  await phone.addInitScript(
    ({ key, text }) => localStorage.getItem(key) ?? localStorage.setItem(key, text),
    { key: driverChangesKey, text: JSON.stringify(stored) },
  )
  await phone.goto('/teams')
  await phone.getByRole('button', { name: 'Your profile' }).click()
  await phone.getByRole('menuitem', { name: 'Sign out' }).click()
  const dialog = phone.getByRole('alertdialog')
  await expect(dialog).toContainText('1 driver change is not sent yet. Sign out and delete it?')
  await dialog.getByRole('button', { name: 'Sign out and delete' }).click()
  await expect(phone.getByRole('heading', { name: 'Sign in to your account' })).toBeVisible()
  const left = await phone.evaluate(key => localStorage.getItem(key), driverChangesKey)
  expect(JSON.parse(left ?? '[]')).toEqual(stored.slice(1))
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
  const stints = async () =>
    (await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).stints
  await expect.poll(async () => (await stints()).length).toBe(2)
})

test('a change made offline after the end of the session is reported below the notice', async ({
  scene,
  session,
  phone,
  gps,
}) => {
  await addRoster(scene.ana, scene.team.id)
  await gps({ ...here, speed: 0 })
  await expect(driverButton(phone, names.leo)).toBeVisible()
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await driverButton(phone, names.leo).tap()
  await phone.getByRole('button', { name: /^Ana Lindqvist/ }).tap()
  await expect(driverButton(phone, names.ana)).toContainText('Not sent yet')
  await phone.context().setOffline(false)
  await expect(phone.getByText('This session has ended')).toBeVisible()
  await expect(phone.getByText(/^Driver not changed\./)).toBeVisible()
})

test('a change that the server refuses is reported, and the driver before stays', async ({
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

test('a pit stop proposes the planned driver: one tap accepts, and it can be dismissed', async ({
  scene,
  session,
  phone,
  gps,
}) => {
  const drivers = await addRoster(scene.ana, scene.team.id)
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

  const [leo, ana] = [names.leo, names.ana].map(
    name => drivers.find(driver => driver.name === name)?.id ?? null,
  )
  const planned = (number: number, driverId: string | null | undefined) => ({
    number,
    driverId: driverId ?? null,
    lengthMs: 90 * 60_000,
  })
  await stop(session.startedAt + 1, {
    race: exampleRace({ startedAt: session.startedAt - 30 * 60_000 }),
    plan: { driverIds: [], stopMs: null, lapMs: null, stints: [planned(1, leo), planned(2, ana)] },
  })
  await phone.reload()
  await proposal
    .getByRole('button', { name: 'Driver change? Leo Garnier to Ana Lindqvist, planned' })
    .tap()
  await expect(driverButton(phone, names.ana)).toBeVisible()
  await expect(proposal).toBeHidden()
  await expect
    .poll(async () => (await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).stints)
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
  const drivers = await addRoster(scene.ana, scene.team.id)
  const [leo, ana] = [names.leo, names.ana].map(
    name => drivers.find(driver => driver.name === name)?.id ?? null,
  )
  const startedAt = session.startedAt - 30 * 60_000
  const stopAt = session.startedAt + 1
  const litres = { tankL: 92, reserveL: 4, burnL: 2 }
  let endedAt: number | null = null
  const stopped = (race: StoredCarRace): StoredCarRace => ({
    ...inPits(race, { startedAt: stopAt, endedAt: null, stoppedAt: stopAt + 1, leftAt: null }),
    car: { id: randomUUID(), number: '17', name: null, carClass: null, archived: false, ...litres },
    race: exampleRace({ startedAt, endedAt }),
    fills: [{ id: randomUUID(), kind: 'start', at: startedAt, litres: 40 }],
    plan: {
      driverIds: [],
      stopMs: null,
      lapMs: null,
      stints: [leo, ana].map((driverId, index) => ({
        number: index + 1,
        driverId: driverId ?? null,
        lengthMs: 90 * 60_000,
      })),
    },
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

  // A problem covers the litres that somebody has chosen, and they are there after it.
  const amount = page.getByRole('region', { name: 'Litres' })
  await page.getByRole('button', { name: 'One litre less' }).click()
  await expect(amount).toContainText('51 L')
  await phone.mouse.move(100, 200)
  await phone.mouse.down()
  const gotIt = page.getByRole('button', { name: /^Got it/ })
  await expect(gotIt).toBeVisible()
  await phone.mouse.up()
  await expect(amount).toBeHidden()
  await gotIt.click()
  await expect(amount).toContainText('51 L')

  const release = await hold(page, 'carRaces.ofSession')
  const stint = { stintId: randomUUID(), driverId: ana ?? null }
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

test('a driver at a limit, or in another car, is chosen with a warning', async ({
  scene,
  session,
  open,
  phone,
  gps,
  messageUrl,
}) => {
  const drivers = await addRoster(scene.ana, scene.team.id)
  const ana = drivers.find(({ name }) => name === names.ana)?.id ?? ''
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
  const stints = async () =>
    (await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).stints
  await expect.poll(stints).toMatchObject([{}, { driverId: ana }])
})

test('after a change at a stop the fuel entry opens next, but not on the wall', async ({
  scene,
  session,
  open,
  messageUrl,
}) => {
  const drivers = await addRoster(scene.ana, scene.team.id)
  const race = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  const litres = { tankL: 92, reserveL: 4, burnL: 1.9 }
  const visit = { startedAt: session.startedAt, endedAt: null, stoppedAt: null, leftAt: null }
  const stopped: StoredCarRace = {
    ...inPits(race, visit),
    car: { id: randomUUID(), number: '17', name: null, carClass: null, archived: false, ...litres },
  }
  const ana = drivers.find(({ name }) => name === names.ana)
  const next = {
    id: randomUUID(),
    number: 2,
    sessionId: session.id,
    driverId: ana?.id ?? null,
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
