import { expect, type Page } from '@playwright/test'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { refuse, stubLiveConnection } from '../mockApi.ts'
import {
  boxOf,
  dotOf,
  green,
  pauseClock,
  phoneOptions,
  portrait,
  red,
  wordOn,
} from './driveScreen.ts'

// spec: DR-1 DR-16
test('without a message the screen is black with speed, dot and start button', async ({
  phone,
  send,
}) => {
  const screen = phone.getByRole('main')
  for (const colorScheme of ['light', 'dark'] as const) {
    await phone.emulateMedia({ colorScheme })
    await expect(screen).toHaveCSS('background-color', 'rgb(0, 0, 0)')
  }
  await expect.poll(() => screen.boundingBox()).toEqual({ x: 0, y: 0, ...portrait })
  await expect(wordOn(phone)).toHaveCount(0)
  await expect(phone.getByText('No GPS')).toBeVisible()

  await send('Fuel')
  await expect(wordOn(phone)).toHaveText('Fuel')
  await send(null)
  await expect(wordOn(phone)).toHaveCount(0)
})

// spec: DR-14 DR-15 DR-17 DR-18 DR-19
test('offline closes the live connection and flashes red; online it catches up', async ({
  scene,
  open,
  driveUrl,
  send,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await phone.clock.install()
  await recordSockets(phone)
  await phone.goto(driveUrl)
  const state = phone.getByText('Online')
  await expect(state).toHaveCSS('color', green)
  expect((await dotOf(phone)).backgroundColor).toBe(green)
  const at = await boxOf(state)
  expect(at.x).toBeLessThan(portrait.width / 4)
  expect(at.y).toBeGreaterThan(portrait.height * 0.9)

  await goOffline(phone)
  await expect(phone.getByText('Offline')).toHaveCSS('color', red)
  await expect.poll(() => phone.evaluate(areSocketsClosing)).toBe(true)
  await pauseClock(phone)
  const before = await dotOf(phone)
  await phone.clock.runFor(500)
  const after = await dotOf(phone)
  expect([before.backgroundColor, after.backgroundColor].toSorted()).toEqual(
    [red, 'rgba(0, 0, 0, 0)'].toSorted(),
  )
  await send('SC')

  const reopened = phone.waitForEvent('websocket')
  await phone.clock.resume()
  await phone.context().setOffline(false)
  await reopened
  await expect(phone.getByText('Online')).toBeVisible()
  await expect(wordOn(phone)).toHaveText('SC')
})

// spec: DR-32
test('only the driver can drive, and only while the session is active', async ({
  scene,
  open,
  session,
  driveUrl,
  phone,
}) => {
  const kim = await open(scene.kim, phoneOptions)
  await kim.goto(driveUrl)
  await expect(kim.getByText('Only the driver of this session can do that.')).toBeVisible()
  const stranger = await open(scene.stranger, phoneOptions)
  await stranger.goto(driveUrl)
  await expect(stranger.getByRole('link', { name: /teams/i }).first()).toBeVisible()
  await expect(stranger.getByText('Night Owls')).toHaveCount(0)
  await expect(stranger.getByText('Online')).toHaveCount(0)

  await scene.leo.call.sessions.end({ sessionId: session.id })
  await expect(phone.getByText('This session has ended.')).toBeVisible()
  await phone.getByRole('link', { name: 'Back to the team' }).click()
  await expect(phone.getByRole('heading', { name: 'Night Owls' })).toBeVisible()
})

// spec: DR-25
test('a session that failed to load shows an error and can be retried', async ({
  scene,
  open,
  driveUrl,
}) => {
  const phone = await open(scene.leo, phoneOptions)
  await stubLiveConnection(phone)
  const restore = await refuse(phone, 'sessions.get', 'unreachable')
  await phone.goto(driveUrl)
  await expect(phone.getByText('This session did not load.')).toBeVisible()
  restore()
  await phone.getByRole('button', { name: 'Try again' }).tap()
  await expect(phone.getByText('No GPS')).toBeVisible()
})

/** Records the page's WebSockets. Call it before the page opens. */
function recordSockets(page: Page) {
  return page.addInitScript(() => {
    const opened: WebSocket[] = []
    Object.assign(window, { opened })
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols)
        opened.push(this)
      }
    }
  })
}

/**
 * Runs in the page. True once it has closed each of its connections: the browser reports the end of one that was
 * closed without a network only when the network is back.
 */
function areSocketsClosing(): boolean {
  const { opened } = window as unknown as { opened: WebSocket[] }
  return opened.length > 0 && opened.every(({ readyState }) => readyState >= WebSocket.CLOSING)
}
