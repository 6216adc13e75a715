import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { swapScene } from '#testing/people/raceScene.ts'
import { test } from '../fixtures.ts'
import { changeResponse, recordCalls } from '../mockApi.ts'
import { inPits } from '../raceAnswers.ts'

const desktop = { viewport: { width: 1440, height: 900 } }

test('a car with two phones is one lane, which follows the phone in the car', async ({
  open,
  person,
}) => {
  const { ana, leo, mia, teamId, first, second, runs, putInCar } = await swapScene(person)
  const [phone, next] = [(await leo.connect()).keepAlive(), (await mia.connect()).keepAlive()]
  await phone.drive(first.id)
  await next.drive(second.id)
  const page = await open(ana, desktop)
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toHaveCount(1)
  await expect(lane).toHaveAccessibleName('Car 17')
  await expect(lane).toContainText("Leo's phone")
  await page.keyboard.press('p')
  const { message } = await phone.next('message')
  phone.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
  await expect(lane).toContainText(/Shown after \d/)

  await putInCar(second.id)
  await expect(lane).toContainText("Mia's phone")
  expect((await next.next('message')).message).toMatchObject({ type: 'Pit', carriedOver: true })
  await expect(lane).toContainText(/Sent, not shown, carried over/)
  await expect(lane).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('g')
  expect((await next.next('message')).message).toMatchObject({ type: 'Go', version: 2 })
  // The phone that is not in the car any more still reports.
  phone.send({ t: 'answer', id: randomUUID(), kind: 'Problem', version: 1, at: Date.now() })
  await expect(lane).toContainText('PROBLEM')
  await expect(lane).toContainText('GO')
  await page.keyboard.press('k')
  expect(
    (await phone.next('answer', ({ answer }) => answer.gotIt !== undefined)).answer,
  ).toMatchObject({
    kind: 'Problem',
  })

  await page.getByRole('button', { name: 'Phone', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Which phone is in the car?' })
  await expect(dialog.getByRole('button', { name: /^Mia's phone/ })).toBeDisabled()
  await dialog.getByRole('button', { name: /^Leo's phone/ }).click()
  await expect(dialog).toBeHidden()
  await expect(lane).toContainText("Leo's phone")
  expect((await runs()).at(-1)).toMatchObject({ sessionId: first.id, decidedBy: 'person' })

  await page.goto(`/teams/${teamId}`)
  const row = (name: string) => page.getByRole('link', { name: new RegExp(name) })
  await expect(row('First phone')).toContainText('· In the car')
  await expect(row('Second phone')).toContainText('Not in the car')
  await putInCar(second.id)
  await expect(row('Second phone')).toContainText('· In the car')
})

test('while no phone is in the car, a message goes to all, with a receipt of each', async ({
  open,
  person,
}) => {
  const { ana, leo, mia, teamId, first, second } = await swapScene(person)
  await ana.call.carRaces.correctRuns({
    sessionId: first.id,
    correctionId: randomUUID(),
    decisions: [{ phone: null, from: Date.now(), until: null }],
  })
  const [phone, next] = [(await leo.connect()).keepAlive(), (await mia.connect()).keepAlive()]
  await phone.drive(first.id)
  await next.drive(second.id)
  const page = await open(ana, desktop)
  await page.goto(`/teams/${teamId}/wall`)
  const lane = page.getByRole('article')
  await expect(lane).toHaveCount(1)
  await lane.getByText('No message').waitFor()
  await page.keyboard.press('u')
  const shown = (await phone.next('message')).message
  expect(shown.type).toBe('Push')
  expect((await next.next('message')).message.type).toBe('Push')
  phone.send({ t: 'receipt', version: shown.version, stage: 'shown', at: Date.now() })
  await expect(lane.getByText(/^Leo Shown after \d/)).toBeVisible()
  await expect(lane.getByText(/^Mia Sent, not shown/)).toBeVisible()
})

test('the wall asks which phone is in the car, and sends to both until it is decided', async ({
  open,
  person,
}) => {
  const { ana, leo, teamId, second, runs } = await swapScene(person)
  const now = Date.now()
  const visit = { startedAt: now, endedAt: null, stoppedAt: now, leftAt: null }
  let unsure = [second.id]
  const page = await open(ana, desktop)
  const television = await open(leo, desktop)
  for (const each of [page, television])
    await changeResponse<StoredCarRace>(each, 'carRaces.ofSession', race => ({
      ...inPits(race, visit),
      unsure,
    }))
  await page.goto(`/teams/${teamId}/wall`)
  await television.goto(`/teams/${teamId}/wall?big`)
  for (const each of [page, television]) {
    const lane = each.getByRole('article')
    await expect(lane).toContainText('Which phone is in the car? Messages go to both.')
    // Stint and fuel stay.
    await expect(lane).toContainText('Pit in')
  }
  await expect(television.getByRole('button')).toHaveCount(0)
  // An order that the silent phone has not shown leaves the question.
  await page.keyboard.press('p')
  for (const each of [page, television]) {
    const lane = each.getByRole('article')
    await expect(lane).toContainText('PIT')
    await expect(lane).toContainText('Which phone is in the car? Messages go to both.')
  }

  const decided = recordCalls(page, 'carRaces.correctRuns')
  unsure = []
  await page.getByRole('button', { name: "Mia's phone" }).click()
  for (const each of [page, television]) {
    const lane = each.getByRole('article')
    await expect(lane).not.toContainText('Which phone is in the car?')
    await expect(lane).toContainText("Mia's phone")
  }
  expect(decided).toHaveLength(1)
  expect((await runs()).at(-1)).toMatchObject({ sessionId: second.id, until: null })
})
