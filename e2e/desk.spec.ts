import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { heardPackets, rememberConnections } from './heardPackets.ts'
import { workerInCharge } from './installed.ts'
import { test as base, promptOf, site } from './supportDesk.ts'

interface AgentPage {
  /** The agent's own browser: signed in, not yet at the desk. */
  desktop: Page
}

const test = base.extend<AgentPage>({
  desktop: async ({ browser, agentPerson }, provide) => {
    const sam = await agentPerson('sam')
    const context = await browser.newContext({
      baseURL: site,
      viewport: { width: 1440, height: 900 },
    })
    await context.addCookies(sam.jar.cookiesFor(site))
    const page = await context.newPage()
    const broken: string[] = []
    page.on('pageerror', error => broken.push(String(error)))
    page.on('console', message => {
      if (/content security policy/i.test(message.text())) broken.push(message.text())
    })
    await provide(page)
    await context.close()
    expect(broken).toEqual([])
  },
})

const statusOf = (desktop: Page, what: string) =>
  desktop.getByRole('region', { name: what, exact: true }).getByRole('status')
const surfaceOf = (desktop: Page) => desktop.getByRole('button', { name: /^Point, click/ })
const seenOn = (desktop: Page) =>
  desktop.frameLocator('iframe[title="The page of Leo Garnier"]').frameLocator('iframe')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Leo has the app open; Sam finds him in the list and opens his page. */
async function openVisit(page: Page, desktop: Page, path = '/teams') {
  await page.goto(path)
  await desktop.goto('/support')
  const row = desktop.getByRole('link', { name: /Leo Garnier/ })
  // Who was here in an earlier test goes at once, but not at the same moment.
  await expect(row).toHaveCount(1)
  // The add-on begins anew for each agent: then it is ready.
  const ready = page.waitForResponse(/web\/tags/)
  await row.click()
  await expect(desktop.getByRole('heading', { level: 1 })).toHaveText('Leo Garnier')
  await ready
}

async function takeControl(page: Page, desktop: Page) {
  await press(desktop, 'Ask for control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(statusOf(desktop, 'Control')).toHaveText('Allowed')
}

/** The middle of something on Leo's page, as it lies on Sam's view of it. */
async function placeOf(page: Page, desktop: Page, name: string | RegExp, role: 'link' | 'textbox') {
  const box = await page.getByRole(role, { name }).boundingBox()
  const view = await surfaceOf(desktop).boundingBox()
  if (!box || !view) throw new Error('It is not to be seen')
  const scale = view.width / (page.viewportSize()?.width ?? view.width)
  return { x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale }
}

test('who is online is listed with the page they are on, and it follows them', async ({
  page,
  desktop,
}) => {
  await desktop.goto('/support')
  await page.goto('/teams')
  await expect(desktop.getByRole('link', { name: /Leo Garnier.*Select a Team/ })).toBeVisible()
  await page.getByRole('link', { name: 'Add Team' }).click()
  await expect(desktop.getByRole('link', { name: /Leo Garnier.*Add Team/ })).toBeVisible()
  await page.goto('about:blank')
  await expect(desktop.getByText('Nobody is online')).toBeVisible()
})

test('with control the agent sees the page, clicks, writes, scrolls and draws on it', async ({
  page,
  desktop,
}) => {
  await openVisit(page, desktop)
  await expect(desktop.getByText('Ask for control or to record, to see the page.')).toBeVisible()
  await press(desktop, 'Ask for control')
  await expect(statusOf(desktop, 'Control')).toHaveText('Asked. Waiting for an answer.')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(statusOf(desktop, 'Control')).toHaveText('Allowed')

  const surface = surfaceOf(desktop)
  await expect(seenOn(desktop).locator('h1')).toHaveText('Select a Team')
  // As the visitor sees it: the styles came along.
  await expect(seenOn(desktop).locator('h1')).toHaveCSS('font-size', '44px')
  await surface.click({ position: await placeOf(page, desktop, 'Add Team', 'link') })
  await expect(page).toHaveURL(`${site}/teams/create`)

  await expect(seenOn(desktop).getByText('Create a new team')).toBeVisible()
  await surface.click({ position: await placeOf(page, desktop, 'Team Name', 'textbox') })
  await expect(page.getByLabel('Team Name')).toBeFocused()
  await desktop.getByLabel('Text for the field you clicked').fill('Night Owls')
  await press(desktop, 'Write it')
  await expect(page.getByLabel('Team Name')).toHaveValue('Night Owls')

  await page.setViewportSize({ width: 800, height: 300 })
  await surface.hover()
  await desktop.mouse.wheel(0, 80)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)

  await press(desktop, 'Draw')
  await expect(desktop.locator('canvas')).toHaveAttribute('width', '800')
  const view = await desktop.locator('canvas').boundingBox()
  if (!view) throw new Error('There is no view')
  const scale = view.width / 800
  await desktop.mouse.move(view.x + 100 * scale, view.y + 100 * scale)
  await desktop.mouse.down()
  await desktop.mouse.move(view.x + 300 * scale, view.y + 100 * scale, { steps: 4 })
  await desktop.mouse.up()
  await expect.poll(() => redAt(page, 200, 100)).toBeGreaterThan(200)

  await press(desktop, 'End control')
  await expect(statusOf(desktop, 'Control')).toHaveText('Ended')
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
  await expect(desktop.getByText('Ask for control or to record, to see the page.')).toBeVisible()

  await desktop.goto('/support/audit')
  const told = desktop.getByRole('listitem').filter({ hasText: /control/i })
  await expect(told.nth(0)).toContainText(
    'Control of sam Support over the page of Leo Garnier ended',
  )
  await expect(told.nth(1)).toContainText('Leo Garnier gave control to sam Support')
  await expect(told.nth(2)).toContainText('sam Support asked Leo Garnier for control')
})

/** How red a point of what is drawn on the visitor's page is, of 255. */
function redAt(page: Page, x: number, y: number): Promise<number> {
  return page.evaluate(
    at => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-openreplay-hidden]')
      return canvas?.getContext('2d')?.getImageData(at.x, at.y, 1, 1).data[0] ?? 0
    },
    { x, y },
  )
}

test('the keyboard alone points and clicks on the page', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  const { x, y } = (await page.getByRole('link', { name: 'Add Team' }).boundingBox()) ?? {}
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await surfaceOf(desktop).focus()
  // It starts in the middle of the page, and a press of an arrow is 16 px.
  const steps = {
    x: Math.round(((x ?? 0) + 40 - width / 2) / 16),
    y: Math.round(((y ?? 0) + 28 - height / 2) / 16),
  }
  for (let step = 0; step < Math.abs(steps.x); step++) {
    await desktop.keyboard.press(steps.x < 0 ? 'ArrowLeft' : 'ArrowRight')
  }
  for (let step = 0; step < Math.abs(steps.y); step++) {
    await desktop.keyboard.press(steps.y < 0 ? 'ArrowUp' : 'ArrowDown')
  }
  await desktop.keyboard.press('Enter')
  await expect(page).toHaveURL(`${site}/teams/create`)
})

test('what is refused is told, and can be asked again', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await press(desktop, 'Ask for control')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await expect(statusOf(desktop, 'Control')).toHaveText('Refused')
  await press(desktop, 'Ask to record')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await expect(statusOf(desktop, 'Recording')).toHaveText('Refused')
  await takeControl(page, desktop)
})

test('a request is taken back', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await press(desktop, 'Ask for control')
  await expect(promptOf(page)).toBeVisible()
  await press(desktop, 'Take the request back')
  await expect(promptOf(page)).toHaveCount(0)
  await expect(statusOf(desktop, 'Control')).toHaveText('Not asked')
})

test('a request that nobody answers is told as that after 30 s', async ({ page, desktop }) => {
  await desktop.clock.install()
  await openVisit(page, desktop)
  await press(desktop, 'Ask for control')
  await expect(promptOf(page)).toBeVisible()
  await desktop.clock.runFor(33_000)
  await expect(statusOf(desktop, 'Control')).toHaveText('Nobody answered within 30 s')
  await expect(promptOf(page)).toHaveCount(0)
})

test('another agent hears that somebody is first', async ({ page, desktop, agent }) => {
  await page.goto('/teams')
  const mia = await agent('mia')
  await openVisit(page, desktop)
  mia.say('request_control')
  await expect(promptOf(page)).toBeVisible()
  await press(desktop, 'Ask for control')
  await expect(statusOf(desktop, 'Control')).toHaveText('Another agent is first')
})

test('a recording begins with the whole page, and is saved as a file', async ({
  page,
  desktop,
}) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await expect(seenOn(desktop).locator('h1')).toHaveText('Select a Team')
  await press(desktop, 'Ask to record')
  await promptOf(page).getByRole('button', { name: 'Allow recording' }).click()
  await expect(statusOf(desktop, 'Recording')).toHaveText('Allowed')
  await page.getByRole('link', { name: 'Add Team' }).click()
  await expect(seenOn(desktop).getByText('Create a new team')).toBeVisible()
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
})

test('after a reload the agent has control again, and sees the page', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await page.goto('/teams/create')
  await expect(seenOn(desktop).getByText('Create a new team')).toBeVisible()
  await expect(statusOf(desktop, 'Control')).toHaveText('Allowed')
})

test('leaving the visit ends what was begun on it', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await press(desktop, 'Ask to record')
  await promptOf(page).getByRole('button', { name: 'Allow recording' }).click()
  await expect(page.locator('.or-recording-border')).toHaveCount(1)
  await desktop.getByRole('link', { name: 'Back to Support desk' }).click()
  await expect(page.locator('.or-recording-border')).toHaveCount(0)
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
})

test('a call is answered and heard on both sides, until the agent hangs up', async ({
  page,
  desktop,
}) => {
  await rememberConnections(page)
  await rememberConnections(desktop)
  await openVisit(page, desktop)
  await press(desktop, 'Call')
  await expect(statusOf(desktop, 'Call')).toHaveText('Ringing')
  await promptOf(page).getByRole('button', { name: 'Answer' }).click()
  await expect(statusOf(desktop, 'Call')).toHaveText('Talking')
  await expect.poll(() => heardPackets(page)).toBeGreaterThan(0)
  await expect.poll(() => heardPackets(desktop)).toBeGreaterThan(0)
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

test('an agent without a microphone is told so, and nobody is called', async ({
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
test('a call that the server does not bring there is told as that, not as a refusal', async ({
  page,
  desktop,
}) => {
  await desktop.routeWebSocket(/assist\/peerjs/, line => line.close())
  await openVisit(page, desktop)
  await press(desktop, 'Call')
  await expect(desktop.getByRole('alert')).toContainText('The server did not bring the call there')
  await expect(statusOf(desktop, 'Call')).toHaveText('Not called')
  await expect(promptOf(page)).toHaveCount(0)
})

test('a usability test is written, done by somebody, and read', async ({ page, desktop }) => {
  await desktop.goto('/support')
  await desktop.getByRole('link', { name: 'Tests' }).click()
  await desktop.getByRole('link', { name: 'New test' }).click()
  await desktop.getByLabel('Title').fill('Find the map')
  await desktop.getByLabel('Guidelines').fill('Think aloud.')
  await desktop.getByLabel('What to do').fill('Open a session')
  await press(desktop, 'Add a task')
  await press(desktop, 'Make the test')
  await expect(desktop.getByLabel('What to do').nth(1)).toHaveAccessibleDescription(
    'This is missing.',
  )
  await desktop.getByLabel('What to do').nth(1).fill('To be taken out')
  await press(desktop, 'Add a task')
  await desktop.getByLabel('What to do').nth(2).fill('Where is the car?')
  await press(desktop, 'Remove task 2')
  await expect(desktop.getByLabel('What to do')).toHaveCount(2)
  await expect(desktop.getByLabel('What to do').nth(1)).toHaveValue('Where is the car?')
  await desktop.getByLabel('They may write an answer').nth(1).check()
  await press(desktop, 'Make the test')
  await expect(desktop.getByRole('heading', { level: 1 })).toHaveText('Find the map')
  await expect(desktop.getByText('Nobody has opened it yet.')).toBeVisible()

  await page.goto(await desktop.getByLabel('Address', { exact: true }).inputValue())
  await page.getByText('Read guidelines to begin').click()
  await page.getByText('Begin Test').click()
  await page.getByText('Done, Next').click()
  await expect(page.getByText('Where is the car?')).toBeVisible()
  await page.getByRole('textbox').fill('In Eau Rouge')
  await page.getByText('Done, Next').click()
  await page.getByText('End Session').click()

  const results = desktop.getByRole('list', { name: 'Leo Garnier' }).getByRole('listitem')
  await expect(async () => {
    await press(desktop, 'Look again')
    await expect(results.nth(0)).toContainText(/Whole test.*Done.* s$/, { timeout: 1000 })
  }).toPass()
  await expect(results).toHaveCount(3)
  await expect(results.nth(1)).toContainText(/Open a session.*Done/)
  await expect(results.nth(2)).toContainText(/Where is the car\?.*In Eau Rouge/)
  await desktop.getByRole('link', { name: 'Back to Tests' }).click()
  await expect(desktop.getByRole('link', { name: /Find the map.*\?oruxt=\d+/ })).toBeVisible()
})

test('who is no agent finds nothing there, and loads nothing of it', async ({ page }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  for (const path of ['/support', '/support/audit', '/support/tests/new', '/support/visits/x/y']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Select a Team')
    await expect(page).toHaveURL(`${site}/teams`)
  }
  expect(asked.filter(path => /^\/api\/support\.(?!settings)/.test(path))).toEqual([])
  asked.length = 0
  await page.goto('/teams')
  await workerInCharge(page)
  expect(asked.filter(path => /assets\/(desk|Desk|Visit|replay)/.test(path))).toEqual([])
})
