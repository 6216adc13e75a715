import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { waitForController, withServiceWorker } from '../app/installed.ts'
import { phoneOptions, waitForPaint } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { hold, recordCalls, refuse } from '../mockApi.ts'
import { addRoster, driverButton, names } from './twoDrivers.ts'

const here = { latitude: 50.4372, longitude: 5.9714 }

test('online, Not sent yet appears only when sending is slow', async ({ scene, phone, gps }) => {
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

  const requests = recordCalls(phone, 'carRaces.ofSession')
  await phone.reload()
  // The driver is still shown after the last retry has failed.
  await expect
    .poll(() => requests.filter(request => request.failure() !== null).length)
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
