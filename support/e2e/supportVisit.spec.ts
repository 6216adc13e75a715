import { expect, type Page } from '@playwright/test'
import { createPerson } from '#testing/people/person.ts'
import { startQuickServer } from '#testing/quickServer.ts'
import { waitForController, withServiceWorker } from '../../e2e/app/installed.ts'
import { site } from './deskServers.ts'
import { promptOf, test } from './supportDesk.ts'

declare global {
  interface Window {
    /** Set by the tracker. */
    __OPENREPLAY__?: { forceFlushBatch(): void }
  }
}

/** The response of an OpenReplay server to the start of a visit. */
const startResponse = {
  token: 'a.b',
  sessionID: '1234567890',
  userUUID: 'a-uuid',
  projectID: '7',
  delay: 0,
  compressionThreshold: 24_000,
}

test('the desk lists a signed-in user by email address, with the state of the tab', async ({
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

test('signing out ends the visit and removes its data from the browser', async ({
  page,
  visit,
}) => {
  await page.goto('/teams')
  const { visitId } = await visit()
  const storedKeys = () =>
    page.evaluate(() => [localStorage, sessionStorage].flatMap(store => Object.keys(store)))
  await expect
    .poll(storedKeys)
    .toEqual(expect.arrayContaining(['__openreplay_token', '__openreplay_uuid']))
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/sign-in/)
  await expect
    .poll(async () => (await storedKeys()).filter(key => /openreplay|or_uxt/.test(key)))
    .toEqual([])
  expect(visitId).toMatch(/^[0-9a-f]{64}$/)
})

test('signing in again in the same page starts a new visit with support', async ({
  page,
  desk,
  leo,
  agent,
  visit,
}) => {
  await page.goto('/teams')
  const { visitId } = await visit()
  await page.getByRole('button', { name: 'Your profile' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Email').fill(leo.email)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByLabel('One-time Code').fill(await desk.mails.nextCode(leo.email))
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(page).toHaveURL(`${site}/teams`)
  await expect.poll(async () => (await visit()).visitId).not.toBe(visitId)
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  await expect(page.getByText('sam Suppo…')).toBeVisible()
})

test('a failed start does not disturb the app, and is retried when online again', async ({
  page,
  visit,
}) => {
  await page.route('**/v1/web/start', route => route.abort(), { times: 1 })
  const failed = page.waitForRequest(/web\/start/)
  await page.goto('/teams')
  await failed
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await goOnlineAgain(page)
  await visit()
})

/** Repeats the event `online` until the add-on starts: it listens only after its failed start. */
async function goOnlineAgain(page: Page) {
  await expect(async () => {
    const again = page.waitForRequest(/web\/start/, { timeout: 1000 })
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await again
  }).toPass()
}

test('a start refused by the server is retried', async ({ page, visit }) => {
  const busy = { status: 503, body: '{"code":"not-ready"}' }
  await page.route('**/v1/web/start', route => route.fulfill(busy), { times: 1 })
  const refused = page.waitForResponse(/web\/start/)
  await page.goto('/teams')
  expect((await refused).status()).toBe(503)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await goOnlineAgain(page)
  await visit()
})

// spec: SO-18
test('on localhost the add-on is not loaded', async ({ deskBrowser, desk, leo }) => {
  const context = await deskBrowser.newContext({ baseURL: desk.url, ...withServiceWorker })
  await context.addCookies(leo.jar.cookiesFor(desk.url))
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  await page.goto('/teams')
  await waitForController(page)
  expect(requests.filter(url => /support|ingest|assist/.test(url))).toEqual([])
  await context.close()
})

// spec: PR-4
test('without its setting the add-on is not loaded', async ({ deskBrowser }) => {
  const server = await startQuickServer()
  const details = { firstName: 'Leo', lastName: 'Garnier', email: 'leo@northline.example' }
  const leo = await createPerson(server.url, server.mails, details)
  const name = server.url.replace('localhost', 'plain.localhost')
  const context = await deskBrowser.newContext({ baseURL: name, ...withServiceWorker })
  await context.addCookies(leo.jar.cookiesFor(name))
  const page = await context.newPage()
  const requests: string[] = []
  page.on('request', request => requests.push(request.url()))
  const response = await page.goto('/teams')
  await waitForController(page)
  expect(requests.filter(url => /support|ingest|assist/.test(url))).toEqual([])
  expect(response?.headers()['content-security-policy']).toContain("worker-src 'self';")
  await context.close()
  await server.stop()
})

// spec: PR-3
test('with an OpenReplay server the tracker records there, by email address', async ({
  deskBrowser,
}) => {
  const settings = {
    SUPPORT_INGEST_URL: 'http://replay.localhost/ingest',
    SUPPORT_PROJECT_KEY: 'abcDEF0123456789abcd',
  }
  const server = await startQuickServer({ settings })
  const details = { firstName: 'Leo', lastName: 'Garnier', email: 'leo@northline.example' }
  const leo = await createPerson(server.url, server.mails, details)
  const name = server.url.replace('localhost', 'plain.localhost')
  const context = await deskBrowser.newContext({ baseURL: name })
  await context.addCookies(leo.jar.cookiesFor(name))
  const requests: { path: string; body: string }[] = []
  await context.route('http://replay.localhost/**', route => {
    const request = route.request()
    const path = new URL(request.url()).pathname.replace('/ingest/v1/web/', '')
    requests.push({ path, body: request.postData() ?? '' })
    const answers: Record<string, object> = {
      start: startResponse,
      tags: { tags: [] },
      'feature-flags': { flags: [] },
    }
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    return route.fulfill({ json: answers[path] ?? {}, headers })
  })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', message => {
    if (/content security policy/i.test(message.text())) errors.push(message.text())
  })
  await page.goto('/teams')
  await expect.poll(() => requests.map(({ path }) => path)).toContain('tags')
  const start = requests.find(({ path }) => path === 'start')
  expect(JSON.parse(start?.body ?? '{}')).toMatchObject({
    projectKey: 'abcDEF0123456789abcd',
    userID: 'leo@northline.example',
    trackerVersion: '14.0.14',
  })
  await page.evaluate(() => window.__OPENREPLAY__?.forceFlushBatch())
  await expect.poll(() => requests.map(({ path }) => path)).toContain('i')
  expect(errors).toEqual([])
  await context.close()
  await server.stop()
})
