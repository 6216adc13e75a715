import { expect } from '@playwright/test'
import { microphonesOf } from '../supportCalls.ts'
import { interceptConnection, promptOf, recordFrames } from '../supportDesk.ts'
import { border, expectNoAgent, pointer, record, takeControl } from './consents.ts'
import { openConnection, test } from './replayDesk.ts'

// spec: SO-5 SO-6 SO-7
test('nothing of an agent stays who left while the page was disconnected', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  await mia.call()
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(() => microphonesOf(page)).toEqual(['live'])
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  mia.connection.close()
  await expect(pointer(page)).toBeVisible()
  connection.up()
  await expectNoAgent(page)
  // An agent who comes back has to ask again, and can.
  const again = await agent('Mia Frost')
  await takeControl(page, again)
})

// spec: SO-5 SO-6
test('nothing of an agent stays who returns after the page, as somebody else', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  const frames = recordFrames(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  mia.connection.close()
  frames.length = 0
  connection.up()
  // The namespace of Socket.IO is open.
  await expect.poll(() => frames.some(each => each.startsWith('40'))).toBe(true)
  const again = await agent('Mia Frost')
  await again.connection.next('recording_rejected')
  await expectNoAgent(page)
  await takeControl(page, again)
})

// spec: SO-5 SO-6
test('nothing of an agent stays who returned before the page', async ({ page, agent, replay }) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  mia.connection.close()
  const again = openConnection(replay, 'Mia Frost')
  await again.opened()
  connection.up()
  await again.next('recording_rejected')
  await expectNoAgent(page)
  again.close()
})

// spec: SO-5 SO-10
test('control and recording continue after a short loss of the connection', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  connection.up()
  await mia.connection.next('control_granted')
  await expect(pointer(page)).toBeVisible()
  await expect(border(page)).toBeVisible()
  expect(mia.connection.received('recording_rejected')).toEqual([])
})

// spec: SO-5 SO-6
test('nothing of an agent stays on a page that is disconnected for a minute', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.clock.install()
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const mia = await agent('Mia Frost')
  await takeControl(page, mia)
  await record(page, mia)
  connection.down()
  await mia.connection.next('SESSION_DISCONNECTED')
  await page.clock.runFor(55_000)
  await expect(border(page)).toBeVisible()
  await page.clock.runFor(6000)
  await expectNoAgent(page)
})
