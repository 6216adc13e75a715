import { expect } from '@playwright/test'
import { receivedAudioPackets, recordPeerConnections } from '../../e2e/packetLog.ts'
import { callFrom, callVisitor, callWindow, failedCalls } from './supportCalls.ts'
import { promptOf, setHidden, test } from './supportDesk.ts'

// spec: SO-2 SO-7 SO-15 SO-16
test('a call has audio both ways, in a small window without a camera button', async ({
  page,
  agent,
  visit,
}) => {
  const rings = page.waitForRequest(/support\/ring\.wav/)
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  // A name that is wider than the window.
  const caller = () => agent('wilhelmina-margarethe')
  const { sam, calling } = await callVisitor(page, caller, tabIdOf)
  await rings
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(() => receivedAudioPackets(page)).toBeGreaterThan(0)
  await expect.poll(() => receivedAudioPackets(calling)).toBeGreaterThan(0)
  await expect(callWindow(page).getByText('wilhelmina-margaret…')).toBeVisible()
  const frame = page.locator('iframe[data-openreplay-ignore]')
  await expect(frame).toHaveCSS('width', '200px')
  await expect(frame).toHaveCSS('height', '200px')
  const buttons = callWindow(page).getByRole('button')
  await expect(buttons).toHaveText(['Mute', 'End call'])
  for (const button of await buttons.all()) await expect(button).toBeInViewport({ ratio: 1 })
  await expect.poll(async () => (await visit()).tabs[0]?.inCall).toBe(true)

  await callWindow(page).getByRole('button', { name: 'End call' }).click()
  await sam.connection.next('call_end')
  await expect(frame).toHaveCount(0)
  await expect.poll(async () => (await visit()).tabs[0]?.inCall).toBe(false)
  await expect
    .poll(async () => {
      const events = (await sam.person.call.support.audit({ limit: 5 })).map(({ event }) => event)
      return events.slice(0, 3)
    })
    .toEqual(['call-ended', 'call-answered', 'call-asked'])
  await calling.context().close()
})

// spec: SO-7 PR-5 PR-6 RO-6
test('a call can be refused', async ({ page, agent, visit }) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await callVisitor(page, agent, tabIdOf)
  await expect(promptOf(page).getByRole('button', { name: 'Reject' })).toBeFocused()
  await page.keyboard.press('Enter')
  await sam.connection.next('call_end')
  await expect(promptOf(page)).toHaveCount(0)
  expect(await receivedAudioPackets(page)).toBe(0)
  await calling.context().close()
})

// spec: SO-7
test('hiding the tab ends the call', async ({ page, agent, visit }) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await callVisitor(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(page.locator('iframe[data-openreplay-ignore]')).toBeVisible()
  await setHidden(page, true)
  await sam.connection.next('call_end')
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await calling.context().close()
})

// spec: SO-8
test('a failing microphone ends the call, and the visitor reads why', async ({
  page,
  agent,
  visit,
}) => {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Requested device not found', 'NotFoundError'))
  })
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await callVisitor(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await sam.connection.next('call_end')
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await expect(promptOf(page)).toContainText('your microphone did not start')
  await promptOf(page).getByRole('button', { name: 'Close' }).click()
  await expect(promptOf(page)).toHaveCount(0)
  await calling.context().close()
})

// spec: SO-7
test('an unanswered call ends after 30 s', async ({ page, agent, visit }) => {
  await page.clock.install()
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  await recordPeerConnections(page)
  await page.goto('/teams')
  await page.clock.runFor(2000)
  const sam = await agent()
  const calling = await callFrom(page, sam, await tabIdOf())
  await expect(promptOf(page)).toBeVisible()
  await page.clock.runFor(31_000)
  await sam.connection.next('call_end')
  await expect(promptOf(page)).toHaveCount(0)
  await calling.context().close()
})

// spec: SO-7
test('a second agent’s call rings after the first one has ended', async ({
  page,
  agent,
  visit,
}) => {
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await callVisitor(page, agent, tabIdOf)
  const mia = await agent('mia')
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(() => receivedAudioPackets(calling)).toBeGreaterThan(0)
  const second = await callFrom(page, mia, await tabIdOf())
  await expect.poll(() => failedCalls(second)).toBeGreaterThan(0)
  expect(await receivedAudioPackets(second)).toBe(0)
  await expect(promptOf(page)).toHaveCount(0)
  await expect(callWindow(page).getByText('sam Support')).toBeVisible()
  await expect(callWindow(page).getByText('mia Support')).toHaveCount(0)

  // Hanging up ends the first call although another agent is connected.
  mia.send('call_end')
  sam.send('call_end')
  await expect(promptOf(page)).toBeVisible()
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  await expect.poll(async () => (await visit()).tabs[0]?.inCall).toBe(false)
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await mia.connection.next('call_end')
  await calling.context().close()
  await second.context().close()
})

// spec: SO-7
test('during a call the page answers only the same agent', async ({ page, agent, visit }) => {
  const answered: string[] = []
  let offer = ''
  let offerAgain = (_from: string) => {}
  await page.routeWebSocket(/assist\/peerjs/, socket => {
    const server = socket.connectToServer()
    socket.onMessage(message => {
      const { type, dst, payload } = JSON.parse(String(message))
      // The answer to another caller is empty: it only ends their call.
      if (type === 'ANSWER' && payload.sdp.sdp !== '') answered.push(dst)
      server.send(message)
    })
    server.onMessage(message => {
      if (String(message).includes('"OFFER"')) offer = String(message)
      socket.send(message)
    })
    offerAgain = from => {
      const { payload, ...signal } = JSON.parse(offer)
      const another = { ...payload, connectionId: `mc_${from}` }
      socket.send(JSON.stringify({ ...signal, src: from, payload: another }))
    }
  })
  const tabIdOf = async () => (await visit()).tabs[0]?.tabId ?? ''
  const { sam, calling } = await callVisitor(page, agent, tabIdOf)
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect.poll(() => receivedAudioPackets(calling)).toBeGreaterThan(0)
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('a second microphone'))
  })
  // Offers are handled in order: the same agent is answered again, nobody else ends or joins the call.
  offerAgain('stranger')
  offerAgain(sam.pass.peerId)
  await expect.poll(() => answered).toEqual([sam.pass.peerId, sam.pass.peerId])
  expect(sam.connection.received('call_end')).toEqual([])
  sam.send('call_end')
  await expect(page.locator('iframe[data-openreplay-ignore]')).toHaveCount(0)
  // After the call another offer shows the prompt.
  offerAgain('another')
  await expect(promptOf(page)).toBeVisible()
  expect(answered).toHaveLength(2)
  await calling.context().close()
})

// spec: SO-7
test('after a crash a call needs consent again', async ({ page, agent, visit }) => {
  await page.goto('/teams')
  const sam = await agent()
  // The state that a page leaves behind if it crashes during a call.
  await page.evaluate(
    peerId => sessionStorage.setItem('__openreplay_calling_peer', JSON.stringify([peerId])),
    sam.pass.peerId,
  )
  await recordPeerConnections(page)
  await page.reload()
  await sam.connection.next('SESSION_RECONNECTED')
  const calling = await callFrom(page, sam, (await visit()).tabs[0]?.tabId ?? '')
  await expect(promptOf(page)).toContainText('Pitboard support is calling you')
  expect(await receivedAudioPackets(calling)).toBe(0)
  await calling.context().close()
})
