import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { withServiceWorker } from '../../e2e/app/installed.ts'
import {
  openPeerConnections,
  receivedAudioPackets,
  recordPeerConnections,
} from '../../e2e/packetLog.ts'
import { mirrorOf, openVisit, press, statusOf, takeControl, test } from './deskPage.ts'
import { site } from './deskServers.ts'
import { callFrom, callWindow } from './supportCalls.ts'
import { promptOf, waitForAddonRestart } from './supportDesk.ts'

test('the list shows online users by name, without their page titles', async ({
  page,
  desktop,
  leo,
}) => {
  await leo.call.teams.create({ name: 'Night Owls' })
  await page.goto('/teams')
  await page.getByRole('button', { name: 'Your profile' }).click()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Support desk' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /Night Owls/ }).click()
  await expect(page).toHaveTitle(/Night Owls/)
  await desktop.goto('/teams')
  await desktop.getByRole('button', { name: 'Your profile' }).click()
  await desktop.getByRole('menuitem', { name: 'Support desk' }).click()
  await expect(desktop.getByRole('link', { name: /Leo Garnier.*Since/ })).toBeVisible()
  await expect(desktop.getByText('Night Owls')).toHaveCount(0)
  await page.goto('about:blank')
  await expect(desktop.getByText('Nobody is online')).toBeVisible()
})

test('each tab of a user is separate; a closed tab is shown as closed', async ({
  page,
  desktop,
}) => {
  const [other, otherDesktop] = [await page.context().newPage(), await desktop.context().newPage()]
  await page.goto('/teams')
  await desktop.goto('/support')
  await expect(desktop.getByRole('link', { name: /Leo Garnier/ })).toHaveCount(1)
  await openVisit(other, otherDesktop, { row: /Page 2 of 2/ })
  const ready = waitForAddonRestart(page)
  await desktop.getByRole('link', { name: /Page 1 of 2/ }).click()
  await ready

  await press(desktop, 'Ask to record')
  await press(otherDesktop, 'Ask to record')
  await promptOf(other).getByRole('button', { name: 'Allow recording' }).click()
  await expect(statusOf(otherDesktop, 'Recording')).toHaveText('Allowed')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await expect(statusOf(desktop, 'Recording')).toHaveText('Refused')
  await expect(statusOf(otherDesktop, 'Recording')).toHaveText('Allowed')

  await other.close()
  await expect(statusOf(otherDesktop, 'Recording')).toHaveText('Ended')
  await expect(otherDesktop.getByText('This page is closed')).toBeVisible()
  await takeControl(page, desktop)
})

test('a recording starts with a full snapshot, is saved as a file and can be played', async ({
  page,
  desktop,
}) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await expect(mirrorOf(desktop).locator('h1')).toHaveText('Select a Team')
  await press(desktop, 'Ask to record')
  await promptOf(page).getByRole('button', { name: 'Allow recording' }).click()
  await expect(statusOf(desktop, 'Recording')).toHaveText('Allowed')
  await page.getByRole('link', { name: 'Add Team' }).click()
  await expect(mirrorOf(desktop).getByText('Create a new team')).toBeVisible()
  await press(desktop, 'Stop recording')
  await expect(page.locator('.or-recording-border')).toHaveCount(0)

  const saved = desktop.waitForEvent('download')
  await press(desktop, 'Save recording')
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^pitboard-garnier-.*\.json$/)
  const text = await readFile(await file.path(), 'utf8')
  const events = JSON.parse(text) as { type: number }[]
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual([4, 2])
  expect(JSON.stringify(events[1])).toContain('Select a Team')
  expect(text).toContain('Create a new team')

  await desktop.getByRole('link', { name: 'Back to Support desk' }).click()
  await desktop.getByRole('link', { name: 'Replay' }).click()
  const open = desktop.locator('input[type=file]')
  await open.setInputFiles({
    name: 'x.json',
    mimeType: 'application/json',
    buffer: Buffer.from('[]'),
  })
  await expect(desktop.getByRole('alert')).toContainText('not a recording')
  await open.setInputFiles(await file.path())
  const played = desktop
    .frameLocator('iframe[title="Recorded page"]')
    .frameLocator('iframe')
    .locator('body')
  await expect(played).toContainText('Select a Team')
  await press(desktop, 'Play')
  await expect(played).toContainText('Create a new team')
  await expect(desktop.getByRole('button', { name: 'Play' })).toBeVisible()
  await desktop.getByLabel('Position').fill('0')
  await expect(played).toContainText('Select a Team')
})

test('leaving the visit ends control and recording', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await press(desktop, 'Ask to record')
  await promptOf(page).getByRole('button', { name: 'Allow recording' }).click()
  await expect(page.locator('.or-recording-border')).toHaveCount(1)
  await desktop.getByRole('link', { name: 'Back to Support desk' }).click()
  await expect(page.locator('.or-recording-border')).toHaveCount(0)
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
})

test('a call has audio in both directions until the agent hangs up', async ({ page, desktop }) => {
  await recordPeerConnections(page)
  await recordPeerConnections(desktop)
  await openVisit(page, desktop)
  await press(desktop, 'Call')
  await expect(statusOf(desktop, 'Call')).toHaveText('Ringing')
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(statusOf(desktop, 'Call')).toHaveText('Talking')
  await expect.poll(() => receivedAudioPackets(page)).toBeGreaterThan(0)
  await expect.poll(() => receivedAudioPackets(desktop)).toBeGreaterThan(0)
  const mute = desktop.getByRole('button', { name: 'Mute' })
  await mute.click()
  await expect(mute).toHaveAttribute('aria-pressed', 'true')
  await press(desktop, 'Hang up')
  await expect(statusOf(desktop, 'Call')).toHaveText('Ended')
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)

  await press(desktop, 'Call')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await expect(statusOf(desktop, 'Call')).toHaveText('Refused')
})

test('a call that the visitor ends is not shown as a broken connection', async ({
  page,
  desktop,
}) => {
  await recordPeerConnections(desktop)
  const ends: (() => void)[] = []
  let leave = () => {}
  await desktop.routeWebSocket(/assist\/peerjs/, socket => {
    const server = socket.connectToServer()
    socket.onMessage(message => {
      const { type, dst } = JSON.parse(String(message))
      if (type === 'OFFER') leave = () => socket.send(JSON.stringify({ type: 'LEAVE', src: dst }))
      server.send(message)
    })
  })
  await desktop.routeWebSocket(/ws-assist/, socket => {
    const server = socket.connectToServer()
    server.onMessage(message => {
      if (String(message).includes('"call_end"')) ends.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  await openVisit(page, desktop)
  await press(desktop, 'Call')
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(statusOf(desktop, 'Call')).toHaveText('Talking')
  await callWindow(page).getByRole('button', { name: 'End call' }).click()
  // PeerJS may close the connection before the page's report arrives.
  leave()
  await expect.poll(() => openPeerConnections(desktop)).toBe(0)
  await expect.poll(() => ends.length).toBe(1)
  ends[0]?.()
  await expect(statusOf(desktop, 'Call')).toHaveText('Ended')
  await expect(desktop.getByRole('alert')).toHaveCount(0)
})

test('a second caller sees that another agent was first', async ({
  page,
  desktop,
  agent,
  visit,
}) => {
  await openVisit(page, desktop)
  const mia = await agent('mia')
  const calling = await callFrom(page, mia, (await visit()).tabs[0]?.tabId ?? '')
  await expect(promptOf(page)).toBeVisible()
  await press(desktop, 'Call')
  await expect(statusOf(desktop, 'Call')).toHaveText('Another agent was first')
  await expect(desktop.getByRole('alert')).toHaveCount(0)
  await calling.context().close()
})

test('an agent without a microphone sees an error and no call starts', async ({
  page,
  desktop,
}) => {
  await desktop.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
  })
  await openVisit(page, desktop)
  await press(desktop, 'Call')
  await expect(desktop.getByRole('alert')).toContainText('Your microphone did not start')
  await expect(promptOf(page)).toHaveCount(0)
})

// spec: SO-9
test('a call that could not be delivered is not shown as refused', async ({ page, desktop }) => {
  await desktop.routeWebSocket(/assist\/peerjs/, connection => connection.close())
  await openVisit(page, desktop)
  await press(desktop, 'Call')
  await expect(desktop.getByRole('alert')).toContainText('The call could not be delivered')
  await expect(statusOf(desktop, 'Call')).toHaveText('Not called')
  await expect(promptOf(page)).toHaveCount(0)
})

test('an agent creates a usability test, a user takes it, the agent sees the results', async ({
  page,
  desktop,
}) => {
  await desktop.goto('/support')
  await desktop.getByRole('link', { name: 'Tests' }).click()
  await desktop.getByRole('link', { name: 'New test' }).click()
  await desktop.getByLabel('Title').fill('Find the map')
  await desktop.getByLabel('Guidelines').fill('Think aloud.')
  await desktop.getByLabel('What to do').fill('Open a session')
  await press(desktop, 'Add a task')
  await press(desktop, 'Create the test')
  await expect(desktop.getByLabel('What to do').nth(1)).toHaveAccessibleDescription('Fill this in.')
  await desktop.getByLabel('What to do').nth(1).fill('To be taken out')
  await press(desktop, 'Add a task')
  await desktop.getByLabel('What to do').nth(2).fill('Where is the car?')
  await press(desktop, 'Remove task 2')
  await expect(desktop.getByLabel('What to do')).toHaveCount(2)
  await expect(desktop.getByLabel('What to do').nth(1)).toHaveValue('Where is the car?')
  await desktop.getByLabel('Allow a written answer').nth(1).check()
  await press(desktop, 'Create the test')
  await expect(desktop.getByRole('heading', { level: 1 })).toHaveText('Find the map')
  await expect(desktop.getByText('Nobody has opened it yet.')).toBeVisible()

  await page.goto(await desktop.getByLabel('Link', { exact: true }).inputValue())
  await page.getByText('Read guidelines to begin').click()
  await page.getByText('Begin Test').click()
  await page.getByText('Done, Next').click()
  await expect(page.getByText('Where is the car?')).toBeVisible()
  await page.getByRole('textbox').fill('In Eau Rouge')
  await page.getByText('Done, Next').click()
  await page.getByText('End Session').click()

  const results = desktop.getByRole('list', { name: 'Leo Garnier' }).getByRole('listitem')
  await expect(async () => {
    await press(desktop, 'Refresh')
    await expect(results.nth(0)).toContainText(/Whole test.*Done.* s$/, { timeout: 1000 })
  }).toPass()
  await expect(results).toHaveCount(3)
  await expect(results.nth(1)).toContainText(/Open a session.*Done/)
  await expect(results.nth(2)).toContainText(/Where is the car\?.*In Eau Rouge/)
  await desktop.getByRole('link', { name: 'Back to Tests' }).click()
  await expect(desktop.getByRole('link', { name: /Find the map.*\?oruxt=\d+/ })).toBeVisible()
})

test.describe('with the service worker', () => {
  test.use(withServiceWorker)

  test('users who are not agents cannot open the desk, and load none of its code', async ({
    page,
  }) => {
    const requested: string[] = []
    page.on('request', request => requested.push(new URL(request.url()).pathname))
    for (const path of [
      '/support',
      '/support/audit',
      '/support/tests/new',
      '/support/visits/x/y',
    ]) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
      await expect(page).toHaveURL(`${site}/teams`)
    }
    expect(requested.filter(path => /^\/api\/support\.(?!settings)/.test(path))).toEqual([])
    requested.length = 0
    await page.goto('/teams')
    // A page that was loading when the worker became active stays without a controller.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    expect(requested.filter(path => /assets\/(desk|Desk|Visit|replay)/.test(path))).toEqual([])
  })
})
