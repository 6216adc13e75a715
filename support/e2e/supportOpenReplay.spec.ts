import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import type { Peer as PeerJS } from 'peerjs'
import { AssistConnection } from '#support/testing/assistConnection.ts'
import { type OpenReplay, projectKey } from '#support/testing/openReplay.ts'
import { createPerson, type Person } from '#testing/people/person.ts'
import { test as base } from '../../e2e/workerFixtures.ts'
import { replaySite, site } from './deskServers.ts'
import { callWindow } from './supportCalls.ts'
import { promptOf } from './supportDesk.ts'

interface Fixtures {
  replay: OpenReplay
  leo: Person
  context: BrowserContext
  page: Page
  /** Connects an agent of OpenReplay who is named Mia Frost, and waits until the page has restarted for them. */
  agent(): Promise<AssistConnection>
}

const peerScript = join(
  dirname(createRequire(import.meta.url).resolve('peerjs/package.json')),
  'dist/peerjs.min.js',
)

let people = 0

/** The product with an OpenReplay server in another origin as its support desk. */
const test = base.extend<Fixtures>({
  replay: async ({ openReplayDesk }, provide) => provide(openReplayDesk.replay),
  leo: async ({ openReplayDesk: { server } }, provide) => {
    people += 1
    const details = { firstName: 'Leo', lastName: 'Garnier', email: `leo${people}@crew.example` }
    await provide(await createPerson(server.url, server.mails, details))
  },
  context: async ({ openReplayDesk: { browser }, leo }, provide) => {
    const context = await browser.newContext({
      baseURL: site,
      permissions: ['geolocation', 'screen-wake-lock'],
      geolocation: { latitude: 50.4372, longitude: 5.9714 },
    })
    await context.addCookies(leo.jar.cookiesFor(site))
    await provide(context)
    await context.close()
  },
  page: async ({ context, replay }, provide) => {
    replay.peers = true
    replay.requests.length = 0
    replay.pages.length = 0
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      if (/content security policy|CORS/i.test(message.text())) errors.push(message.text())
    })
    await provide(page)
    expect(errors).toEqual([])
  },
  agent: async ({ replay }, provide) => {
    const connections: AssistConnection[] = []
    await provide(async () => {
      await expect.poll(() => replay.requests.map(({ path }) => path)).toContain('tags')
      const agentInfo = JSON.stringify({ id: 1, name: 'Mia Frost', peerId: 'mia' })
      const connection = new AssistConnection(replay.url, {
        cookie: '',
        query: { identity: 'agent', agentInfo },
      })
      connections.push(connection)
      // The page restarts for the agent and then sends itself.
      await connection.next('messages')
      return connection
    })
    for (const connection of connections) connection.close()
  },
})

/** Sends an event to a tab, as OpenReplay's agents do. */
function send(agent: AssistConnection, tabId: string, event: string, data?: unknown) {
  agent.send(event, { meta: { tabId }, data })
}

const tabIdOf = (page: Page) =>
  page.evaluate(() => sessionStorage.getItem('__openreplay_tabid') ?? '')

// spec: PR-3 SO-2 SO-15
test('an OpenReplay agent sees the styled page, is named, controls and calls', async ({
  page,
  leo,
  replay,
  agent,
  openReplayDesk: { browser },
}) => {
  const team = await leo.call.teams.create({ name: 'Night Owls' })
  await leo.call.teams.invite({
    teamId: team.id,
    firstName: 'Hanna',
    lastName: 'Frost',
    email: 'hanna@crew.example',
  })
  const { id } = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await leo.call.messages.set({ sessionId: id, type: 'Pit', commandId: crypto.randomUUID() })
  await page.goto(`/teams/${team.id}/members`)
  await expect(page.getByText('hanna@crew.example')).toBeVisible()
  const mia = await agent()
  const tabId = await tabIdOf(page)
  const seen = () => replay.pages.join()
  await expect.poll(() => seen().includes('Night Owls')).toBe(true)
  expect(seen().includes('hanna@')).toBe(false)

  // The player shows recorded pages in its own origin, with the style sheets of the app.
  const sheets = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].map(({ href }) => href),
  )
  replay.player = `${sheets.map(href => `<link rel="stylesheet" href="${href}">`).join('')}<p>Archivo`
  const player = await (await browser.newContext()).newPage()
  await player.goto(`${replaySite}/player`)
  await expect(player.locator('body')).toHaveCSS('font-family', /^"Archivo Variable"/)
  const fonts = await player.evaluate(async () => {
    await document.fonts.load('16px "Archivo Variable"')
    return [...document.fonts].filter(({ status }) => status === 'loaded').length
  })
  expect(fonts).toBeGreaterThan(0)

  send(mia, tabId, 'request_control', '{}')
  await expect(promptOf(page)).toContainText('can see this page already')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(page.locator('body > div').getByText('Mia Frost')).toBeVisible()
  await expect(callWindow(page).getByText('Mia Frost')).toBeVisible()
  send(mia, tabId, 'release_control')
  await expect(callWindow(page).getByText('Mia Frost')).toHaveCount(0)

  send(mia, tabId, '_agent_name', 'Mia Frost')
  await callFromPlayer(player, `${projectKey}-1234567890-${tabId}`)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(callWindow(page).getByText('Mia Frost')).toBeVisible()
  await expect(callWindow(page).getByRole('button', { name: 'Camera' })).toBeVisible()
  await callWindow(page).getByRole('button', { name: 'End call' }).click()
  await mia.next('call_end')

  replay.pages.length = 0
  await page.goto(`/teams/${team.id}/${id}/message`)
  await expect(page.getByRole('button', { name: 'Abort' })).toBeVisible()
  await expect.poll(() => seen().includes('"ABORT"')).toBe(true)
  await page.goto(`/teams/${team.id}/${id}/drive`)
  await expect(page.getByRole('alert')).toHaveText('Pit')
  await expect.poll(() => seen().includes('"Online"')).toBe(true)
  await player.context().close()
})

/** Calls a page with PeerJS from the player, once, with its media. */
async function callFromPlayer(player: Page, peerId: string) {
  await player.addScriptTag({ path: peerScript })
  await player.evaluate(async to => {
    const { Peer } = (window as unknown as { peerjs: { Peer: typeof PeerJS } }).peerjs
    const peer = new Peer('mia', { host: location.hostname, port: 80, path: '/assist' })
    await new Promise(resolve => peer.once('open', resolve))
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
    const call = () => peer.call(to, stream)
    // The page may not have registered yet.
    peer.on('error', () => setTimeout(call, 250))
    call()
  }, peerId)
}

// spec: SO-11
test('without signalling the page ends calls, and the console shows why', async ({
  page,
  replay,
  agent,
}) => {
  replay.peers = false
  const attempts: string[] = []
  page.on('websocket', socket => {
    if (/assist\/peerjs/.test(socket.url())) attempts.push(socket.url())
  })
  const warned = page.waitForEvent('console', message => /OpenReplay 1.20/.test(message.text()))
  await page.goto('/teams')
  const mia = await agent()
  send(mia, await tabIdOf(page), '_agent_name', 'Mia Frost')
  await warned
  await expect.poll(() => attempts).toHaveLength(3)
  // A later call tries again, on a server that has it by then.
  replay.peers = true
  send(mia, await tabIdOf(page), '_agent_name', 'Mia Frost')
  await expect.poll(() => attempts.length).toBe(4)
})

// spec: PR-7
test('a usability test of OpenReplay shows that the page is recorded', async ({ page }) => {
  await page.goto('/teams?oruxt=7')
  await expect(page.getByText('Find the map')).toBeVisible()
  await expect(page.getByText('We record this page')).toBeVisible()
})

test('with Do Not Track nothing is recorded, and OpenReplay learns why', async ({
  page,
  replay,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' }),
  )
  await page.goto('/teams')
  await expect.poll(() => replay.requests.map(({ path }) => path)).toEqual(['not-started'])
  expect(JSON.parse(replay.requests[0]?.body ?? '')).toMatchObject({ doNotTrack: true, projectKey })
})
