import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { spaFrancorchamps } from '#contract/shared/circuits/spa-francorchamps.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { swapScene } from '#testing/people/raceScene.ts'
import { startInCar } from '#testing/people/roster.ts'
import { receiverOf, test } from '../fixtures.ts'
import { recordCalls, refuse } from '../mockApi.ts'
import { phoneOptions, wordOn } from './driveScreen.ts'

const here = spaFrancorchamps.startFinish

test('after its race a car has one lane, and the phone in it gets its orders', async ({
  open,
  person,
}) => {
  const { ana, mia, teamId, raceId, first, second, putInCar } = await swapScene(person)
  await mia.call.sessions.end({ sessionId: second.id })
  await putInCar(first.id)
  await ana.call.races.end({ raceId })
  const kai = await mia.call.sessions.start({ teamId, name: 'New phone', carId: first.car!.id })
  const next = await open(mia, phoneOptions)
  await next.goto(`/teams/${teamId}/${kai.id}/drive`)
  await expect(next.getByText("Car 17 is driven by Leo's phone.")).toBeVisible()
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${teamId}/wall`)
  const lanes = wall.getByRole('article')
  await expect(lanes).toHaveCount(1)
  await putInCar(kai.id)
  await ana.call.messages.set({ sessionId: first.id, type: 'SC', commandId: randomUUID() })
  await expect(wordOn(next)).toHaveText('SC')
  await expect(lanes).toHaveCount(1)
})

test('the start of the next race names the cars whose phones stay in the one before', async ({
  open,
  person,
}) => {
  const { ana, leo, mia, teamId, raceId, first, second } = await swapScene(person)
  await mia.call.sessions.end({ sessionId: second.id })
  const phone = await open(leo, phoneOptions)
  await phone.clock.install()
  await phone.goto(`/teams/${teamId}/${first.id}/drive`)
  await expect(phone.getByText(/^To go/)).toBeVisible()
  const lists = recordCalls(phone, 'races.list')
  const flag = (id: string) =>
    ana.call.timing.enter({ raceId: id, entryId: randomUUID(), entry: { flag: 'Yellow' } })
  await flag(raceId)
  const order = (type: 'Go' | null) =>
    ana.call.messages.set({ sessionId: first.id, type, commandId: randomUUID() })
  const finish = phone.getByText('FINISH').filter({ visible: true })
  await order('Go')
  await expect(wordOn(phone)).toHaveText('Go')
  await expect(finish).toHaveCount(0)
  await ana.call.races.end({ raceId })
  await expect(finish).toHaveCount(1)
  await order(null)
  await expect(phone.getByText('The next race needs a new session.')).toBeVisible()
  await expect(finish).toHaveCount(1)
  await expect.poll(() => lists.length).toBeGreaterThan(0)
  // The end of the race may request it a second time.
  const requested = lists.length
  expect(requested).toBeLessThanOrEqual(2)
  await phone.clock.runFor(20_000)
  // For mobile data and battery: the phone may stay on overnight.
  expect(lists).toHaveLength(requested)
  const next = randomUUID()
  const length = { in: 'time' as const, ms: 3_600_000 }
  const race = { id: next, name: 'Zolder sprint', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race })
  const page = await open(ana, { viewport: { width: 1440, height: 900 } })
  await page.goto(`/teams/${teamId}/wall`)
  await expect(page.getByRole('article')).toContainText('Zolder 6 hours is over')
  await page.goto(`/teams/${teamId}/races/${next}`)
  await page.getByRole('button', { name: 'Start the race' }).click()
  const start = page.getByRole('dialog')
  await expect(start).toContainText('Still in Zolder 6 hours: 17.')
  await ana.call.races.start({ raceId: next })
  const wall = await open(ana, { viewport: { width: 1440, height: 900 } })
  await wall.goto(`/teams/${teamId}/wall`)
  await expect(wall.getByText('Zolder sprint needs a new session in each car')).toBeVisible()
  await startInCar(mia, teamId, { number: '44', name: 'Sprint' })
  await expect(wall.getByRole('heading', { name: 'Zolder sprint' })).toBeVisible()
  // The flag by hand of the race that is over is not that of the next one.
  const yellow = wall.getByText('Yellow', { exact: true })
  await expect(yellow).toBeHidden()
  await flag(next)
  await expect(yellow).toBeVisible()
  await phone.clock.fastForward(60_000)
  await expect(phone.getByText('Zolder sprint is running')).toBeVisible()
  await phone.clock.setSystemTime(Date.now())
  const needsNew = 'Race over. Zolder sprint needs a new session'
  const home = await open(ana, { viewport: { width: 1440, height: 900 } })
  await home.goto(`/teams/${teamId}`)
  await expect(home.getByText(needsNew)).toBeVisible()
  // Leo's phone is in the car.
  await expect(home.getByRole('region', { name: 'At the pit wall' })).toContainText('Nobody else')
  await home.getByText(needsNew).click()
  // A phone without a position does not hide it.
  await expect(home.getByRole('region', { name: 'Current message' })).toContainText(needsNew)
  const gps = await receiverOf(phone)
  await gps({ ...here, speed: 0 })
  const end = phone.getByRole('button', { name: 'End this session' })
  await expect(end).toBeVisible()
  // A problem that nobody has got is a ribbon above it.
  await phone.keyboard.down('p')
  await expect(phone.getByRole('button', { name: /Tap to take it back/ })).toBeVisible()
  await phone.keyboard.up('p')
  // At speed the glass has no button.
  await gps({ ...here, speed: 20 })
  await expect(end).toHaveCount(0)
  await gps({ ...here, speed: 0 })
  const restore = await refuse(phone, 'sessions.end', 'unreachable')
  const confirm = phone.getByRole('alertdialog').getByRole('button', { name: 'End Session' })
  await end.tap()
  await confirm.tap()
  await expect(phone.getByText('Session not ended')).toBeVisible()
  restore()
  await end.tap()
  await confirm.tap()
  await phone.getByRole('button', { name: 'Start a new session' }).tap()
  await expect(phone).toHaveURL(`/teams/${teamId}/new`)
})
