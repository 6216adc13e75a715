import { randomUUID } from 'node:crypto'
import { expect } from '@playwright/test'
import { swapScene } from '#testing/people/raceScene.ts'
import { test } from '../fixtures.ts'

test('the message screen follows the phone that takes over its car', async ({ open, person }) => {
  const { ana, leo, mia, teamId, first, second, putInCar } = await swapScene(person)
  const [phone, next] = [(await leo.connect()).keepAlive(), (await mia.connect()).keepAlive()]
  await phone.drive(first.id)
  await next.drive(second.id)
  const page = await open(ana)
  await page.goto(`/teams/${teamId}/${first.id}/message`)
  const head = page.getByRole('heading', { level: 1 })
  const board = page.getByRole('region', { name: 'Current message' })
  const press = (plate: string) => page.getByRole('button', { name: plate, exact: true }).click()
  await expect(head).toContainText('First phone')
  await press('PIT')
  const { message } = await phone.next('message')
  phone.send({ t: 'receipt', version: message.version, stage: 'shown', at: Date.now() })
  await expect(board).toContainText('Shown after')

  await putInCar(second.id)
  await expect(head).toContainText("On Mia's phone")
  expect((await next.next('message')).message).toMatchObject({ type: 'Pit', carriedOver: true })
  await expect(board).toContainText('Sent, not shown, carried over')
  await press('GO')
  const { message: go } = await next.next('message')
  expect(go).toMatchObject({ type: 'Go', version: 2 })
  next.send({ t: 'receipt', version: 2, stage: 'shown', at: Date.now() })
  await expect(board).toContainText('Shown after')
  await expect(board).not.toContainText('carried over')

  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(page).toHaveURL(`/teams/${teamId}/${second.id}/log`)
  const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await expect(rows.filter({ hasText: 'PIT' })).toContainText('Carried over')
  await expect(rows.filter({ hasText: 'GO' })).not.toContainText('Carried over')

  // Without a run, the screen of a session addresses its own phone.
  await ana.call.carRaces.correctRuns({
    sessionId: first.id,
    correctionId: randomUUID(),
    decisions: [{ phone: null, from: Date.now(), until: null }],
  })
  await page.goto(`/teams/${teamId}/${first.id}/message`)
  await expect(head).toContainText('First phone')
  await press('PUSH')
  expect((await phone.next('message')).message.type).toBe('Push')
  const { message: kept } = await ana.call.sessions.get({ sessionId: second.id })
  expect(kept).toMatchObject({ type: 'Go', version: 2 })
})
