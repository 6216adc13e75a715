import { gunzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { site } from './deskServers.ts'
import { type Agent, interceptConnection, promptOf, test } from './supportDesk.ts'

interface PageEvent {
  type: number
  data: object
}

/** rrweb's event type of a full snapshot. */
const fullSnapshot = 2

async function nextEvents({ connection }: Agent): Promise<PageEvent[]> {
  const [{ data }] = (await connection.next('view')) as [{ data: Buffer }]
  return JSON.parse(gunzipSync(data).toString())
}

/** Reads the agent's events until they contain this text. */
async function receivedUntil(agent: Agent, text: string): Promise<string> {
  for (;;) {
    const events = JSON.stringify(await nextEvents(agent))
    if (events.includes(text)) return events
  }
}

const border = (page: Page) => page.locator('.or-recording-border')

async function record(page: Page, agent: Agent) {
  agent.send('request_recording')
  await promptOf(page).getByRole('button', { name: 'Allow recording' }).click()
  await agent.connection.next('recording_accepted')
}

// spec: SO-1 SO-6
test('a page has a dashed red border until its agent stops recording', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  await expect(border(page)).toHaveCount(0)
  expect(sam.connection.received('view')).toEqual([])
  await record(page, sam)
  await expect(border(page)).toHaveCSS('border', '2px dashed rgb(255, 0, 0)')
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await expect.poll(() => border(page).boundingBox()).toEqual({ x: 0, y: 0, width, height })
  const events = await nextEvents(sam)
  expect(events.map(({ type }) => type)).toContain(fullSnapshot)

  await page.getByRole('link', { name: 'Add Team' }).click()
  await expect(page).toHaveURL(`${site}/teams/create`)
  await expect(border(page)).toBeVisible()
  sam.send('stop_recording')
  await expect(border(page)).toHaveCount(0)
})

test('text in fields and private text is masked, and nothing is sent without consent', async ({
  page,
  agent,
}) => {
  await page.goto('/teams/create')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  await receivedUntil(sam, 'Add Team')
  await page.evaluate(() => {
    const name = document.createElement('p')
    name.dataset.private = ''
    name.textContent = 'Zacharias Quellhorst'
    document.body.append(name)
  })
  await page.getByRole('textbox').fill('Secret')
  const events = await receivedUntil(sam, '******')
  expect(events).not.toMatch(/Secret|Quellhorst/)

  const callWindow = page.frameLocator('iframe[data-openreplay-ignore]')
  await callWindow.getByRole('button', { name: 'End control' }).click()
  await sam.connection.next('control_rejected')
  const before = sam.connection.received('view').length
  await page.getByRole('textbox').fill('Another')
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await sam.connection.next('control_rejected')
  expect(sam.connection.received('view').length).toBe(before)
})

// spec: SO-6 PR-5 RO-6
test('Escape refuses a recording', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_recording')
  await expect(promptOf(page)).toContainText('asks to see and record this page')
  await expect(promptOf(page).getByRole('button', { name: 'Reject' })).toBeFocused()
  await page.keyboard.press('Escape')
  await sam.connection.next('recording_rejected')
  await expect(border(page)).toHaveCount(0)
})

// spec: SO-6
test('only the agent who started a recording can stop it; it ends if they leave', async ({
  page,
  agent,
}) => {
  await page.goto('/teams')
  const sam = await agent()
  const mia = await agent('mia')
  await record(page, sam)
  mia.send('stop_recording')
  mia.send('request_recording')
  await mia.connection.next('recording_busy')
  await expect(border(page)).toBeVisible()
  sam.connection.close()
  await expect(border(page)).toHaveCount(0)
})

// spec: SO-10
test('a recording continues after a reconnect', async ({ page, agent }) => {
  let close = () => {}
  await page.routeWebSocket(/ws-assist/, socket => {
    socket.connectToServer()
    close = () => void socket.close()
  })
  await page.goto('/teams')
  const sam = await agent()
  await record(page, sam)
  await nextEvents(sam)
  close()
  await sam.connection.next('SESSION_DISCONNECTED')
  await sam.connection.next('recording_accepted')
  for (;;) if ((await nextEvents(sam)).some(({ type }) => type === fullSnapshot)) break
  await expect(border(page)).toBeVisible()
})

test('a recording whose agent left during a connection loss ends on reconnect', async ({
  page,
  agent,
}) => {
  const connection = await interceptConnection(page)
  await page.goto('/teams')
  const sam = await agent()
  await record(page, sam)
  connection.down()
  await sam.connection.next('SESSION_DISCONNECTED')
  sam.connection.close()
  await expect(border(page)).toBeVisible()
  connection.up()
  await expect(border(page)).toHaveCount(0)
})

// spec: SO-3 SO-14
test('an agent draws in red, and the drawing fades', async ({ page, agent }) => {
  await page.goto('/teams')
  const sam = await agent()
  sam.send('request_control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await sam.connection.next('control_granted')
  sam.send('startAnnotation', [100, 100])
  sam.send('moveAnnotation', [200, 100])
  await expect.poll(() => drawn(page, 150, 100)).toEqual([255, 0, 0, 255])
  // 8 px wide: 4 px to each side of the line.
  expect((await drawn(page, 150, 103))[3]).toBeGreaterThan(0)
  expect((await drawn(page, 150, 106))[3]).toBe(0)
  sam.send('stopAnnotation')
  await expect.poll(async () => (await drawn(page, 150, 100))[3]).toBe(0)
})

function drawn(page: Page, x: number, y: number): Promise<number[]> {
  return page.evaluate(
    at => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-openreplay-hidden]')
      return [...(canvas?.getContext('2d')?.getImageData(at.x, at.y, 1, 1).data ?? [])]
    },
    { x, y },
  )
}
