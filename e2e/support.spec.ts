import { expect } from '@playwright/test'
import { startBuiltServer } from '#testing/builtServer.ts'
import { createPerson } from '#testing/person.ts'
import { framesTo, promptOf, setHidden, site, test } from './supportDesk.ts'

/** An OpenReplay server's answer to a visit that begins. */
const begun = {
  token: 'a.b',
  sessionID: '1234567890',
  userUUID: 'a-uuid',
  projectID: '7',
  delay: 0,
  compressionThreshold: 24_000,
}

test('a signed-in person is at the desk by their address, with what their tab shows', async ({
  page,
  leo,
  visit,
}) => {
  await page.goto('/teams')
  expect(await visit()).toMatchObject({
    person: { email: leo.email },
    tabs: [{ active: true, inCall: false }],
    agents: [],
  })
})

test('signing out ends the visit, and nothing of it stays in the browser', async ({
  page,
  visit,
}) => {
  await page.goto('/teams')
  const { visitId } = await visit()
  const kept = () =>
    page.evaluate(() => [localStorage, sessionStorage].flatMap(store => Object.keys(store)))
  expect(await kept()).toEqual(expect.arrayContaining(['__openreplay_token', '__openreplay_uuid']))
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in/)
  await expect
    .poll(async () => (await kept()).filter(key => /openreplay|or_uxt/.test(key)))
    .toEqual([])
  expect(visitId).toMatch(/^[0-9a-f]{64}$/)
})

test('a start that fails disturbs nothing, and is tried again when the network is back', async ({
  page,
  visit,
}) => {
  await page.route('**/v1/web/start', route => route.abort(), { times: 1 })
  const failed = page.waitForRequest(/web\/start/)
  await page.goto('/teams')
  await failed
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await visit()
})

// spec: SO-18
test('on this machine nothing of it is loaded', async ({ browser, desk, leo }) => {
  const context = await browser.newContext({ baseURL: desk.url })
  await context.addCookies(leo.jar.cookiesFor(desk.url))
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await page.goto('/teams')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  expect(asked.filter(url => /support|ingest|assist/.test(url))).toEqual([])
  await context.close()
})

test('without the setting nothing of it is loaded', async ({ browser }) => {
  const server = await startBuiltServer()
  const details = { firstName: 'Leo', lastName: 'Garnier', email: 'leo@northline.example' }
  const leo = await createPerson(server.url, server.mails, details)
  const name = server.url.replace('localhost', 'plain.localhost')
  const context = await browser.newContext({ baseURL: name })
  await context.addCookies(leo.jar.cookiesFor(name))
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  const response = await page.goto('/teams')
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  expect(asked.filter(url => /support|ingest|assist/.test(url))).toEqual([])
  expect(response?.headers()['content-security-policy']).toContain("worker-src 'self';")
  await context.close()
  await server.stop()
})

// spec: SO-4
test('control is refused', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.say('request_control')
  const prompt = promptOf(page)
  await expect(prompt).toContainText('Pitboard support asks to see this page')
  await expect(prompt.getByRole('button', { name: 'Reject' })).toBeFocused()
  await prompt.getByRole('button', { name: 'Reject' }).click()
  expect(await sam.line.next('control_rejected')).toMatchObject([{ data: sam.line.id }])
  await expect(prompt).toHaveCount(0)

  sam.say('request_control')
  await expect(prompt).toBeVisible()
  await page.keyboard.press('Escape')
  await sam.line.next('control_rejected')
  await expect(prompt).toHaveCount(0)
  await expect(page).toHaveURL(`${site}/teams`)
})

// spec: SO-2 SO-15
test('an agent in control clicks, types and scrolls, until the person ends it', async ({
  page,
  agent,
}) => {
  await page.setViewportSize({ width: 800, height: 300 })
  await page.goto('/teams/create')
  const sam = await agent()
  sam.say('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.line.next('control_granted')
  await expect(page.getByText('sam Suppo…')).toBeVisible()

  const field = page.getByRole('textbox')
  const box = await field.boundingBox()
  sam.say('click', [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10])
  sam.say('input', 'Night Owls')
  await expect(field).toHaveValue('Night Owls')
  await expect(field).toBeFocused()
  sam.say('move', [40, 50])
  sam.say('scroll', [0, 60])
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)

  const callWindow = page.frameLocator('iframe[data-openreplay-ignore]')
  await callWindow.getByRole('button', { name: 'End control' }).click()
  await sam.line.next('control_rejected')
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
})

test('nobody but the person answers: an agent in control cannot click on Allow', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.say('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.line.next('control_granted')
  sam.say('request_recording')
  const allow = promptOf(page).getByRole('button', { name: 'Allow recording' })
  const box = await allow.boundingBox()
  sam.say('click', [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10])
  await expect(allow).toBeFocused()
  await expect(page.locator('.or-recording-border')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await sam.line.next('recording_rejected')
})

test('a second agent hears that it is busy', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  const mia = await agent('mia')
  sam.say('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.line.next('control_granted')
  mia.say('request_control')
  expect(await mia.line.next('control_busy')).toMatchObject([{ data: mia.line.id }])
  await expect(promptOf(page)).toHaveCount(0)
})

// spec: SO-5
test('control is released with the hidden tab, and asked for anew', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.say('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.line.next('control_granted')
  await setHidden(page, true)
  await sam.line.next('control_rejected')
  await setHidden(page, false)
  sam.say('request_control')
  await expect(promptOf(page)).toBeVisible()
  expect(sam.line.heard('control_granted')).toEqual([])
})

// spec: SO-5
test('control ends with the agent', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.say('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(page.getByText('sam Suppo…')).toBeVisible()
  sam.line.close()
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
})

// spec: SO-5
test('after a reload the same agent has control again, unasked', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.say('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.line.next('control_granted')
  await page.reload()
  expect(await sam.line.next('control_granted')).toMatchObject([{ data: sam.line.id }])
  await expect(page.getByText('sam Suppo…')).toBeVisible()
})

// spec: SO-4
test('a request that nobody answers expires after 30 s', async ({ page, agent }) => {
  await page.clock.install()
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const sam = await agent()
  sam.say('request_control')
  await expect(promptOf(page)).toBeVisible()
  await page.clock.runFor(29_000)
  await expect(promptOf(page)).toBeVisible()
  await page.clock.runFor(2000)
  await sam.line.next('control_rejected')
  await expect(promptOf(page)).toHaveCount(0)
})

test('a request that has to wait expires unseen', async ({ page, agent }) => {
  const frames = framesTo(page)
  await page.clock.install()
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const sam = await agent()
  // As the drive screen says while it shows a message.
  await page.evaluate(() => document.querySelector('main')?.setAttribute('data-undisturbed', ''))
  sam.say('request_control')
  await expect.poll(() => frames.join()).toContain('request_control')
  await page.clock.runFor(31_000)
  await sam.line.next('control_rejected')
  await page.evaluate(() => document.querySelector('main')?.removeAttribute('data-undisturbed'))
  await expect(promptOf(page)).toHaveCount(0)
})

test('with an OpenReplay server the tracker records there, under the person’s address', async ({
  browser,
}) => {
  const settings = { SUPPORT_INGEST_URL: 'http://replay.test/ingest', SUPPORT_PROJECT_KEY: 'key' }
  const server = await startBuiltServer({ settings })
  const details = { firstName: 'Leo', lastName: 'Garnier', email: 'leo@northline.example' }
  const leo = await createPerson(server.url, server.mails, details)
  const name = server.url.replace('localhost', 'plain.localhost')
  const context = await browser.newContext({ baseURL: name })
  await context.addCookies(leo.jar.cookiesFor(name))
  const asked: { path: string; body: string }[] = []
  await context.route('http://replay.test/**', route => {
    const request = route.request()
    const path = new URL(request.url()).pathname.replace('/ingest/v1/web/', '')
    asked.push({ path, body: request.postData() ?? '' })
    const answers: Record<string, object> = {
      start: begun,
      tags: { tags: [] },
      'feature-flags': { flags: [] },
    }
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    return route.fulfill({ json: answers[path] ?? {}, headers })
  })
  const page = await context.newPage()
  const broken: string[] = []
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) broken.push(message.text())
  })
  await page.goto('/teams')
  await expect.poll(() => asked.map(({ path }) => path)).toContain('tags')
  const start = asked.find(({ path }) => path === 'start')
  expect(JSON.parse(start?.body ?? '{}')).toMatchObject({
    projectKey: 'key',
    userID: 'leo@northline.example',
    trackerVersion: '14.0.14',
  })
  await setHidden(page, true)
  await expect.poll(() => asked.map(({ path }) => path), { timeout: 20_000 }).toContain('i')
  expect(broken).toEqual([])
  await context.close()
  await server.stop()
})
