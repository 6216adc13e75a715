import { randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { fix } from '#testing/live/liveScene.ts'
import { patience } from '#testing/patience.ts'
import { test } from '../fixtures.ts'
import { goOffline } from '../goOffline.ts'
import { changeFrames } from '../liveFrames.ts'
import type { Scene } from '../workerFixtures.ts'

/** Records tones and badges, which have no trace in the page, and lets the test hide the page. */
async function recordAlerts(page: Page) {
  await page.addInitScript(() => {
    const alerts = { tones: 0, badge: 0 }
    Object.assign(window, { alerts })
    const make = AudioContext.prototype.createOscillator
    AudioContext.prototype.createOscillator = function (this: AudioContext) {
      alerts.tones += 1
      return make.call(this)
    }
    Object.assign(navigator, {
      setAppBadge: (count: number) => {
        alerts.badge = count
        return Promise.resolve()
      },
      clearAppBadge: () => {
        alerts.badge = 0
        return Promise.resolve()
      },
    })
  })
}

function show(page: Page, visibility: DocumentVisibilityState) {
  return page.evaluate(state => {
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, visibility)
}

/** Opens a screen, and waits until the notices of a signed-in person follow the team: their code loads after it. */
async function openWithNotices(page: Page, url: string) {
  const requested = page.waitForResponse(response => response.url().includes('joinCodes.waiting'))
  await page.goto(url)
  await requested
}

function alertsOf(page: Page) {
  return page.evaluate(
    () => (window as unknown as { alerts: { tones: number; badge: number } }).alerts,
  )
}

test('a hidden page of the team alerts by tone, title and badge', async ({
  scene,
  open,
  session,
  messageUrl,
  send,
}) => {
  const page = await open(scene.ana)
  await recordAlerts(page)
  await openWithNotices(page, messageUrl)
  const title = 'Leo Garnier - Pitboard'
  const car = await (await scene.leo.connect()).keepAlive().drive(session.id)
  // If the driver went silent before the page is hidden, it would show no alert.
  const reporting = setInterval(() => car.send(fix()), 1000)
  await expect(page.getByRole('img', { name: 'Driver online' })).toBeVisible()
  // Browsers allow sounds only after a gesture.
  await page.getByRole('button', { name: 'EASY' }).click()

  await test.step('a driver who goes silent', async () => {
    await show(page, 'hidden')
    clearInterval(reporting)
    car.close()
    await expect(page).toHaveTitle(`(1) ${session.name}: driver silent`, {
      timeout: 20_000 * patience,
    })
    await expect.poll(() => alertsOf(page)).toEqual({ tones: 2, badge: 1 })
  })

  await test.step('the alert disappears when the page is shown', async () => {
    await show(page, 'visible')
    await expect(page).toHaveTitle(title)
    await expect.poll(() => alertsOf(page)).toEqual({ tones: 2, badge: 0 })
  })

  await test.step('a session that starts and one that ends', async () => {
    await show(page, 'hidden')
    const second = await scene.kim.call.sessions.start({ teamId: scene.team.id, name: 'Stint 9' })
    await expect(page).toHaveTitle('(1) Stint 9 has started')
    await scene.kim.call.sessions.end({ sessionId: second.id })
    await expect(page).toHaveTitle('(2) Stint 9 has ended')
    await expect.poll(() => alertsOf(page)).toEqual({ tones: 6, badge: 2 })
  })

  await test.step('nothing on a visible page', async () => {
    await show(page, 'visible')
    const third = await scene.kim.call.sessions.start({ teamId: scene.team.id, name: 'Stint 10' })
    await scene.kim.call.sessions.end({ sessionId: third.id })
    // The board shows it after the page has received the events before it.
    await send('Pit')
    await expect(page.getByRole('region', { name: 'Current message' })).toContainText('Pit')
    await expect(page).toHaveTitle(title)
    expect(await alertsOf(page)).toEqual({ tones: 6, badge: 0 })
  })
})

/** Starts a session, and expects its alert to be the first one of the page. */
async function expectFirstAlert(page: Page, { kim, team }: Scene) {
  const started = await kim.call.sessions.start({ teamId: team.id, name: 'Stint 9' })
  await expect(page).toHaveTitle('(1) Stint 9 has started')
  await kim.call.sessions.end({ sessionId: started.id })
}

test('a hidden page ignores a kind of event that only a newer server knows', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const page = await open(scene.ana)
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await changeFrames(
    page,
    text => {
      const frame = JSON.parse(text)
      const received = document.documentElement.dataset
      if (frame.t === 'snapshot' && frame.snapshot.of === 'team') received.room = 'team'
      if (frame.t !== 'team-event' || frame.event.kind !== 'problem') return text
      received.event = 'tyre-change'
      return JSON.stringify({ ...frame, event: { ...frame.event, kind: 'tyre-change' } })
    },
    null,
  )
  await openWithNotices(page, messageUrl)
  const car = await (await scene.leo.connect()).keepAlive().drive(session.id)
  await expect(page.locator('html[data-room=team]')).toBeAttached()
  await show(page, 'hidden')

  car.send({ t: 'answer', id: randomUUID(), kind: 'Problem', version: 0, at: Date.now() })
  await expect(page.locator('html[data-event=tyre-change]')).toBeAttached()
  await expectFirstAlert(page, scene)
  expect(errors).toEqual([])
})

test('a hidden page without a connection does not report the driver as silent', async ({
  scene,
  open,
  session,
  messageUrl,
}) => {
  const page = await open(scene.ana)
  await openWithNotices(page, messageUrl)
  const car = await (await scene.leo.connect()).keepAlive().drive(session.id)
  const reporting = setInterval(() => car.send(fix()), 1000)
  await expect(page.getByRole('img', { name: 'Driver online' })).toBeVisible()
  await show(page, 'hidden')

  await goOffline(page)
  await expect(page.getByText('You are offline')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('img', { name: 'Driver online' })).toBeVisible()
  clearInterval(reporting)
  await expectFirstAlert(page, scene)
})

test("a hidden page of the team's sessions alerts to a silent driver", async ({
  scene,
  open,
  session,
}) => {
  const page = await open(scene.ana)
  const car = await (await scene.leo.connect()).keepAlive().drive(session.id)
  const reporting = setInterval(() => car.send(fix()), 1000)
  await page.goto(`/teams/${scene.team.id}`)
  await expect(page.getByText(session.name).first()).toBeVisible()

  await expect
    .poll(async () => {
      const [listed] = await scene.ana.call.sessions.listActive({ teamId: scene.team.id })
      return listed?.lastDriverContactAt
    })
    .toEqual(expect.any(Number))
  await show(page, 'hidden')
  clearInterval(reporting)
  car.close()
  await expect(page).toHaveTitle(`(1) ${session.name}: driver silent`, {
    timeout: 20_000 * patience,
  })
  await show(page, 'visible')
  await expect(page).not.toHaveTitle(/silent/)
})
