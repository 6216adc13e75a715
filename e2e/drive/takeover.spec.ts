import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { MessageType } from '#contract/messages.ts'
import { swapScene } from '#testing/people/raceScene.ts'
import { addDriver } from '#testing/people/roster.ts'
import { waitForController, withServiceWorker } from '../app/installed.ts'
import { receiverOf, test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { changeResponse, recordCalls, refuse } from '../mockApi.ts'
import { phoneOptions, waitForPaint, wordOn } from './driveScreen.ts'

test('a phone that another one replaced says so, and its order is carried over', async ({
  open,
  person,
}) => {
  const { ana, leo, mia, teamId, first, second, runs, putInCar } = await swapScene(person)
  const order = (type: MessageType) =>
    ana.call.messages.set({ sessionId: first.id, type, commandId: randomUUID() })
  const [phone, next] = [await open(leo, phoneOptions), await open(mia, phoneOptions)]
  await phone.goto(`/teams/${teamId}/${first.id}/drive`)
  await next.goto(`/teams/${teamId}/${second.id}/drive`)
  await expect(phone.getByText(/^To go/)).toBeVisible()
  await expect(next.getByText("Car 17 is driven by Leo's phone.")).toBeVisible()
  await order('Pit')
  await expect(wordOn(phone)).toHaveText('Pit')
  await expect(wordOn(next)).toHaveCount(0)
  const problem = phone.getByRole('button', { name: /PROBLEM/ })
  await phone.keyboard.down('p')
  await expect(problem).toBeVisible()
  await phone.keyboard.up('p')

  await putInCar(second.id)
  await expect(phone.getByText("Mia's phone is in the car now.")).toBeVisible()
  await expect(problem).toHaveCount(0)
  await expect(phone.getByText(/^Since \d\d:\d\d\. This phone shows no orders\.$/)).toBeVisible()
  await expect(wordOn(phone)).toHaveCount(0)
  await expect(wordOn(next)).toHaveText('Pit')
  // A later order, also one from the page of the first session, goes to the phone in the car.
  await order('FCY')
  await expect(wordOn(next)).toHaveText('FCY')
  await phone.reload()
  await expect(phone.getByText("Mia's phone is in the car now.")).toBeVisible()
  await expect(wordOn(phone)).toHaveCount(0)

  const restore = await refuse(phone, 'carRaces.correctRuns', 'too-many')
  const take = phone.getByRole('button', { name: 'I am in car 17' })
  await take.tap()
  await expect(phone.getByText(/^Not taken over\./)).toBeVisible()
  restore()
  await take.tap()
  await expect.poll(async () => (await runs()).at(-1)).toMatchObject({ sessionId: first.id })
  await expect(wordOn(phone)).toHaveText('FCY')
  await expect(next.getByText("Leo's phone is in the car now.")).toBeVisible()
  await problem.tap()
  await expect(problem).toHaveCount(0)

  // A phone that was put away stays so when nobody is in the car.
  let until: number | null = null
  await changeResponse<StoredCarRace>(phone, 'carRaces.ofSession', race => ({
    ...race,
    runs: race.runs.map((run, index) =>
      index === race.runs.length - 1 && run.sessionId === second.id ? { ...run, until } : run,
    ),
  }))
  await putInCar(second.id)
  await expect(phone.getByText("Mia's phone is in the car now.")).toBeVisible()
  until = Date.now()
  await ana.call.stints.setAutoPit({ sessionId: second.id, on: true })
  await expect(phone.getByText("Mia's phone was in the car last.")).toBeVisible()
  await expect(wordOn(phone)).toHaveCount(0)
  await expect(phone.getByRole('button', { name: /^Driver/ })).toHaveCount(0)
  await mia.call.sessions.end({ sessionId: second.id })
  await order('SC')
  await expect(wordOn(phone)).toHaveText('SC')
  await phone.reload()
  await expect(wordOn(phone)).toHaveText('SC')
})

test('a new phone of a car that is driven asks whether it takes over now', async ({
  open,
  person,
}) => {
  const { ana, leo, mia, teamId, first, second, runs } = await swapScene(person)
  const order = (type: MessageType | null) =>
    ana.call.messages.set({ sessionId: first.id, type, commandId: randomUUID() })
  await addDriver(ana, teamId, 'Zoe Lang')
  const inCar = await open(leo, phoneOptions)
  await inCar.goto(`/teams/${teamId}/${first.id}/drive`)
  const phone = await open(mia, phoneOptions)
  await phone.goto(`/teams/${teamId}/${second.id}/drive`)
  const question = phone.getByText("Car 17 is driven by Leo's phone.")
  await expect(question).toBeVisible()
  await phone.getByRole('button', { name: 'When I leave the pits' }).tap()
  await expect(question).toBeHidden()
  const waits = phone.getByRole('status').filter({ hasText: 'This phone waits' })
  await expect(waits).toContainText("Orders: Leo's phone")
  // The order is on the phone in the car, and in a word on this one.
  await order('SC')
  await expect(wordOn(inCar)).toHaveText('SC')
  await expect(waits.getByText('SC')).toBeVisible()
  await expect(wordOn(phone)).toHaveCount(0)
  await order(null)
  await expect(waits.getByText('SC')).toHaveCount(0)
  // The driver is changed on the phone in the car.
  await expect(inCar.getByRole('button', { name: /^Driver: / })).toBeVisible()
  await expect(phone.getByText(/^To go/)).toBeVisible()
  await expect(phone.getByRole('button', { name: /^Driver: / })).toHaveCount(0)
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
  await expect(waits).toBeHidden()
  await expect.poll(async () => (await runs()).at(-1)).toMatchObject({ sessionId: second.id })
})

test('a phone whose driver chose the pit exit takes over there, beside the other one', async ({
  open,
  person,
}) => {
  const { leo, mia, teamId, first, second, runs, putInCar } = await swapScene(person)
  const inCar = await open(leo, phoneOptions)
  await inCar.goto(`/teams/${teamId}/${first.id}/drive`)
  // Positions alone would not prove which phone is in the car.
  await putInCar(first.id)
  const phone = await open(mia, phoneOptions)
  let leftPitsAt: number[] = []
  await changeResponse<StoredCarRace>(phone, 'carRaces.ofSession', race => ({
    ...race,
    phones: race.phones.map(each =>
      each.sessionId === second.id ? { ...each, leftPitsAt } : each,
    ),
  }))
  await phone.goto(`/teams/${teamId}/${second.id}/drive`)
  await phone.getByRole('button', { name: 'When I leave the pits' }).tap()
  await expect(phone.getByText('This phone waits')).toBeVisible()
  leftPitsAt = [Date.now()]
  const gps = await receiverOf(phone)
  await gps({ latitude: 10, longitude: 20, speed: 40 })
  await expect
    .poll(async () => (await runs()).at(-1), { timeout: 30_000 })
    .toMatchObject({ sessionId: second.id, decidedBy: 'person' })
  await expect(phone.getByText('This phone waits')).toBeHidden()
  await expect(inCar.getByText("Mia's phone is in the car now.")).toBeVisible()
  // A later decision of a person holds.
  await putInCar(first.id)
  await expect(phone.getByText("Leo's phone is in the car now.")).toBeVisible()
  await expect(inCar.getByText(/^To go/)).toBeVisible()
})

test("a reload without a network keeps the car's race on the phone", async ({ open, person }) => {
  const { ana, leo, teamId, first } = await swapScene(person)
  await addDriver(ana, teamId, 'Zoe Lang')
  const phone = await open(leo, { ...phoneOptions, ...withServiceWorker })
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
  await expect(phone.getByRole('button', { name: 'Driver: Leo Tester' })).toBeVisible()
})
