import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { waitForController, withServiceWorker } from '../app/installed.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { recordCalls, refuse } from '../mockApi.ts'
import { swapScene } from '../swapScene.ts'
import { phoneOptions, waitForPaint, wordOn } from './driveScreen.ts'

const here = { geolocation: { latitude: 50.4372, longitude: 5.9714, accuracy: 4 } }

test('a phone that another one replaced says so, and shows no orders until it is in the car', async ({
  open,
  person,
}) => {
  const { ana, leo, teamId, first, second, runs, putInCar } = await swapScene(person)
  const phone = await open(leo, { ...phoneOptions, ...here })
  await phone.goto(`/teams/${teamId}/${first.id}/drive`)
  await expect(phone.getByText('PIT IN')).toBeVisible()
  await putInCar(second.id)
  await expect(phone.getByText("Mia's phone is in the car now.")).toBeVisible()
  await expect(phone.getByText(/^Since \d\d:\d\d\. This phone shows no orders\.$/)).toBeVisible()
  await expect(phone.getByRole('button', { name: /Full screen|Stay awake/ })).toHaveCount(0)
  // The order goes to the phone in the car.
  const order = (sessionId: string) =>
    ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await order(first.id)
  await phone.reload()
  await expect(phone.getByText("Mia's phone is in the car now.")).toBeVisible()
  await expect(wordOn(phone)).toHaveCount(0)

  const restore = await refuse(phone, 'carRaces.correctRuns', 'too-many')
  const take = phone.getByRole('button', { name: 'I am in car 17' })
  await take.tap()
  await expect(phone.getByText(/^Not taken over\./)).toBeVisible()
  restore()
  await take.tap()
  await expect(take).toBeHidden()
  await expect.poll(async () => (await runs()).at(-1)).toMatchObject({ sessionId: first.id })
  // The order that was on the other phone is carried over.
  await expect(wordOn(phone)).toHaveText('Pit')
})

test('a new phone of a car that is driven asks whether it takes over now', async ({
  open,
  person,
}) => {
  const { mia, teamId, first, second, runs } = await swapScene(person)
  const phone = await open(mia, { ...phoneOptions, ...here })
  await phone.goto(`/teams/${teamId}/${second.id}/drive`)
  const question = phone.getByText("Car 17 is driven by Leo's phone.")
  await expect(question).toBeVisible()
  await phone.getByRole('button', { name: 'When I leave the pits' }).tap()
  await expect(question).toBeHidden()
  await expect(phone.getByRole('button', { name: /Full screen|Stay awake/ })).toBeVisible()
  expect((await runs()).at(-1)).toMatchObject({ sessionId: first.id, until: null })

  await phone.reload()
  await expect(question).toBeVisible()
  const restore = await refuse(phone, 'carRaces.correctRuns', 'too-many')
  const now = phone.getByRole('button', { name: 'Take over now' })
  await now.tap()
  await expect(phone.getByText(/^Not taken over\./)).toBeVisible()
  restore()
  await now.tap()
  await expect(question).toBeHidden()
  await expect.poll(async () => (await runs()).at(-1)).toMatchObject({ sessionId: second.id })
})

test("a reload without a network keeps the car's race on the phone", async ({ open, person }) => {
  const { ana, leo, teamId, first } = await swapScene(person)
  const driver = { id: randomUUID(), name: 'Zoe Lang', userId: null }
  await ana.call.roster.saveDriver({ teamId, driver })
  const phone = await open(leo, { ...phoneOptions, ...withServiceWorker, ...here })
  await phone.goto(`/teams/${teamId}/${first.id}/drive`)
  const clock = phone.getByText(/^To go/)
  await expect(clock).toBeVisible()
  await waitForController(phone)
  await goOffline(phone)
  await expect(phone.getByText('Offline')).toBeVisible()
  const asked = recordCalls(phone, 'carRaces.ofSession')
  await phone.reload()
  await expect
    .poll(() => asked.filter(request => request.failure() !== null).length)
    .toBeGreaterThanOrEqual(3)
  await waitForPaint(phone)
  await expect(clock).toBeVisible()
  await expect(phone.getByText('PIT IN')).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Driver: Leo Tester' })).toBeVisible()
})
