import { expect, type WebSocket } from '@playwright/test'
import { projectKey } from '#support/testing/openReplay.ts'
import { replaySite } from '../deskServers.ts'
import { callWindow } from '../supportCalls.ts'
import { promptOf } from '../supportDesk.ts'
import { test } from './replayDesk.ts'

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

  mia.requestControl()
  await expect(promptOf(page)).toContainText('can see this page already')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(page.locator('body > div').getByText('Mia Frost')).toBeVisible()
  await expect(callWindow(page).getByText('Mia Frost')).toBeVisible()
  mia.send('release_control')
  await expect(callWindow(page).getByText('Mia Frost')).toHaveCount(0)

  await mia.call()
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(callWindow(page).getByText('Mia Frost')).toBeVisible()
  await expect(callWindow(page).getByRole('button', { name: 'Camera' })).toBeVisible()
  await callWindow(page).getByRole('button', { name: 'End call' }).click()
  await mia.connection.next('call_end')

  replay.pages.length = 0
  await page.goto(`/teams/${team.id}/${id}/message`)
  await expect(page.getByRole('button', { name: 'Abort' })).toBeVisible()
  await expect.poll(() => seen().includes('"ABORT"')).toBe(true)
  await page.goto(`/teams/${team.id}/${id}/drive`)
  await expect(page.getByRole('alert')).toHaveText('Pit')
  await expect.poll(() => seen().includes('"Online"')).toBe(true)
  await player.context().close()
})

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
  mia.send('_agent_name', 'Mia Frost')
  await warned
  await expect.poll(() => attempts).toHaveLength(3)
  // A later call tries again, on a server that has it by then.
  replay.peers = true
  mia.send('_agent_name', 'Mia Frost')
  await expect.poll(() => attempts.length).toBe(4)
})

// spec: SO-13
test('a canvas is streamed only while an agent is connected', async ({ page, agent }) => {
  const streams: WebSocket[] = []
  page.on('websocket', socket => {
    if (/assist\/peerjs/.test(socket.url())) streams.push(socket)
  })
  await page.goto('/teams')
  await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.getContext('2d')
    document.body.append(canvas)
  })
  const mia = await agent()
  await expect.poll(() => streams).toHaveLength(1)
  mia.connection.close()
  await expect.poll(() => streams.map(stream => stream.isClosed())).toEqual([true])
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
