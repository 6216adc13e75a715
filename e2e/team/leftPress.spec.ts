import { expect, type Page } from '@playwright/test'
import { type CallRoute, routeCall } from '../callRoutes.ts'
import { boardOf, openBoard } from '../drive/driveScreen.ts'
import { test } from '../fixtures.ts'
import { recordCalls } from '../mockApi.ts'
import { errorOn } from '../toasts.ts'

const desktop = { viewport: { width: 1440, height: 900 } }

// spec: MS-16
test('a press that fails after its screen was closed is reported on every screen', async ({
  scene,
  open,
  messageUrl,
  send,
}) => {
  await send('Easy')
  const pit = await open(scene.ana, desktop)
  await openBoard(pit, messageUrl)
  const sent = recordCalls(pit, 'messages.set')
  const fail = await holdFirstPress(pit)
  await keyOf(pit, 'PIT').click()
  await expect(boardOf(pit)).toContainText('Sending...')
  await pit.getByRole('link', { name: 'Log', exact: true }).click()
  await expect(pit.getByRole('heading', { name: 'Message log', exact: true })).toBeVisible()

  await fail()
  await expect(errorOn(pit)).toContainText('PIT to Leo Garnier may not have been sent.')
  await expect(errorOn(pit)).toContainText('The server did not respond')

  await pit.goBack()
  await expect(boardOf(pit)).toContainText('PIT was not sent.')
  await openWall(pit)
  await expect(laneOf(pit)).toContainText('PIT was not sent')
  await pit.goBack()
  await pit.goBack()
  await boardOf(pit).getByRole('button', { name: 'Try again' }).click()
  await expect(boardOf(pit).getByRole('status')).toHaveText('Pit: Sent, not shown')
  // The same command, which the server stores once; the time to the driver's screen counts from the retry.
  const [first, again] = sent.map(request => request.postDataJSON())
  expect(again.commandId).toBe(first.commandId)
  expect(again.pressedAt).toBeGreaterThan(first.pressedAt)
  expect(again.validUntil).toBeGreaterThan(first.validUntil)
})

// spec: MS-16
test('a press on the pit wall replaces one that the message screen queued', async ({
  scene,
  open,
  messageUrl,
  session,
}) => {
  const pit = await open(scene.ana, desktop)
  await openBoard(pit, messageUrl)
  const sent = recordCalls(pit, 'messages.set')
  const fail = await holdFirstPress(pit)
  await keyOf(pit, 'PIT').click()
  await keyOf(pit, 'FUEL').click()
  await openWall(pit)
  await expect(laneOf(pit)).toContainText('Sending')
  await keyOf(pit, 'GO').click()
  // The lane shows it at once, and the server gets it after the first press.
  await expect(laneOf(pit).locator('[data-word]')).toHaveText('GO')
  await fail()
  await expect(laneOf(pit)).not.toContainText('Sending')
  await expect(laneOf(pit)).toContainText('Sent')

  expect(sent.map(request => request.postDataJSON().type)).toEqual(['Pit', 'Go'])
  const { message } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(message).toMatchObject({ version: 1, type: 'Go' })
})

/** Holds back the first press. The result fails its request. */
async function holdFirstPress(pit: Page): Promise<() => Promise<void>> {
  let hold: (route: CallRoute) => void = () => undefined
  const held = new Promise<CallRoute>(resolve => {
    hold = resolve
  })
  let isFirst = true
  await routeCall(pit, 'messages.set', route => {
    if (!isFirst) return route.fallback()
    isFirst = false
    hold(route)
    return undefined
  })
  return async () => (await held).abort()
}

/** Opens the pit wall by the links of the app, so that the page stays. */
async function openWall(pit: Page) {
  await pit.getByRole('link', { name: 'Back to the team' }).click()
  await pit.getByRole('link', { name: /^Pit wall/ }).click()
  await expect(laneOf(pit)).toBeVisible()
}

function laneOf(pit: Page) {
  return pit.getByRole('article')
}

function keyOf(pit: Page, plate: string) {
  return pit.getByRole('button', { name: plate, exact: true })
}
