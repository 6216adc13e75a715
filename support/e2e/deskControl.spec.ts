import { expect, type Page } from '@playwright/test'
import {
  mirrorOf,
  openVisit,
  pointOf,
  press,
  statusOf,
  surfaceOf,
  takeControl,
  test,
} from './deskPage.ts'
import { site } from './deskServers.ts'
import { promptOf } from './supportDesk.ts'

test('with control the agent sees the page, clicks, types, scrolls and draws', async ({
  page,
  desktop,
}) => {
  await openVisit(page, desktop)
  await expect(
    desktop.getByText('To see the page, ask for control or for a recording.'),
  ).toBeVisible()
  await press(desktop, 'Ask for control')
  await expect(statusOf(desktop, 'Control')).toHaveText('Asked. Waiting for an answer.')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(statusOf(desktop, 'Control')).toHaveText('Allowed')

  const surface = surfaceOf(desktop)
  await expect(mirrorOf(desktop).locator('h1')).toHaveText('Select a Team')
  // The styles of the visitor's page were replayed.
  await expect(mirrorOf(desktop).locator('h1')).toHaveCSS('font-size', '44px')
  await expect(mirrorOf(desktop).locator('h1')).toHaveCSS('font-family', /^"Archivo Variable"/)
  // The content security policy does not cover <link>: only style sheets, inlined, may remain.
  await expect(mirrorOf(desktop).locator('link[rel]')).toHaveCount(0)
  await surface.click({ position: await pointOf(page, desktop, 'Add Team', 'link') })
  await expect(page).toHaveURL(`${site}/teams/create`)

  await expect(mirrorOf(desktop).getByText('Create a new team')).toBeVisible()
  await surface.click({ position: await pointOf(page, desktop, 'Team Name', 'textbox') })
  await expect(page.getByLabel('Team Name')).toBeFocused()
  await desktop.getByLabel('Text for the field you clicked').fill('Night Owls')
  await press(desktop, 'Type it')
  await expect(page.getByLabel('Team Name')).toHaveValue('Night Owls')

  await page.setViewportSize({ width: 800, height: 300 })
  await surface.hover()
  await desktop.mouse.wheel(0, 80)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)

  await press(desktop, 'Draw')
  await expect(desktop.locator('canvas')).toHaveAttribute('width', '800')
  const view = await desktop.locator('canvas').boundingBox()
  if (!view) throw new Error('The view is not visible')
  const scale = view.width / 800
  await desktop.mouse.move(view.x + 100 * scale, view.y + 100 * scale)
  await desktop.mouse.down()
  await desktop.mouse.move(view.x + 300 * scale, view.y + 100 * scale, { steps: 4 })
  await desktop.mouse.up()
  await expect.poll(() => redAt(page, 200, 100)).toBeGreaterThan(200)

  await press(desktop, 'End control')
  await expect(statusOf(desktop, 'Control')).toHaveText('Ended')
  await expect(page.getByText('sam Suppo…')).toHaveCount(0)
  await expect(
    desktop.getByText('To see the page, ask for control or for a recording.'),
  ).toBeVisible()

  const entries = await openAudit(
    desktop,
    'Control of sam Support over the page of Leo Garnier ended',
  )
  await expect(entries.nth(1)).toContainText('Leo Garnier gave control to sam Support')
  await expect(entries.nth(2)).toContainText('sam Support asked Leo Garnier for control')
})

/** Returns the red value (0 to 255) of a pixel of the drawing on the visitor's page. */
function redAt(page: Page, x: number, y: number): Promise<number> {
  return page.evaluate(
    at => {
      const canvas = document.querySelector<HTMLCanvasElement>('canvas[data-openreplay-hidden]')
      return canvas?.getContext('2d')?.getImageData(at.x, at.y, 1, 1).data[0] ?? 0
    },
    { x, y },
  )
}

/** Opens the audit as soon as this is its newest entry about control, and returns these entries. */
async function openAudit(desktop: Page, newest: string) {
  const entries = desktop.getByRole('listitem').filter({ hasText: /control/i })
  await expect(async () => {
    await desktop.goto('/support/audit')
    await expect(entries.nth(0)).toContainText(newest, { timeout: 2000 })
  }).toPass()
  return entries
}

test('a second stroke keeps the first from fading, and does not vanish with it', async ({
  page,
  desktop,
}) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await press(desktop, 'Draw')
  const canvas = desktop.locator('canvas')
  const { width = 0 } = page.viewportSize() ?? {}
  await expect(canvas).toHaveAttribute('width', String(width))
  const view = await canvas.boundingBox()
  if (!view) throw new Error('The view is not visible')
  const scale = view.width / width
  async function strokeAt(y: number) {
    await desktop.mouse.move(view!.x + 100 * scale, view!.y + y * scale)
    await desktop.mouse.down()
    await desktop.mouse.move(view!.x + 300 * scale, view!.y + y * scale, { steps: 4 })
  }
  await strokeAt(100)
  await desktop.mouse.up()
  await strokeAt(200)
  const reds = await canvas.evaluate(async (element: HTMLCanvasElement) => {
    // The fade of 4 s is over.
    for (const fading of element.getAnimations()) fading.finish()
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const context = element.getContext('2d')
    return [100, 200].map(y => context?.getImageData(200, y, 1, 1).data[0])
  })
  expect(reds).toEqual([255, 255])
  await desktop.mouse.up()
})

test('the keyboard alone points and clicks on the page', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  const { x, y } = (await page.getByRole('link', { name: 'Add Team' }).boundingBox()) ?? {}
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await surfaceOf(desktop).focus()
  // The pointer starts in the middle of the page and moves 16 px per arrow key.
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

test('a refused request is shown, and can be repeated', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await press(desktop, 'Ask for control')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await expect(statusOf(desktop, 'Control')).toHaveText('Refused')
  await press(desktop, 'Ask to record')
  await promptOf(page).getByRole('button', { name: 'Reject' }).click()
  await expect(statusOf(desktop, 'Recording')).toHaveText('Refused')
  await takeControl(page, desktop)
})

test('a request can be cancelled', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await press(desktop, 'Ask for control')
  await expect(promptOf(page)).toBeVisible()
  await press(desktop, 'Withdraw the request')
  await expect(promptOf(page)).toHaveCount(0)
  await expect(statusOf(desktop, 'Control')).toHaveText('Not asked')

  await openAudit(desktop, 'sam Support no longer asks Leo Garnier for control')
})

test('an unanswered request is shown as unanswered after 30 s', async ({ page, desktop }) => {
  await desktop.clock.install()
  await openVisit(page, desktop)
  await press(desktop, 'Ask for control')
  await expect(promptOf(page)).toBeVisible()
  await desktop.clock.runFor(33_000)
  await expect(statusOf(desktop, 'Control')).toHaveText('Nobody answered within 30 s')
  await expect(promptOf(page)).toHaveCount(0)
})

test('a second agent sees that another one asked first', async ({ page, desktop, agent }) => {
  await page.goto('/teams')
  const mia = await agent('mia')
  await openVisit(page, desktop)
  mia.send('request_control')
  await expect(promptOf(page)).toBeVisible()
  await press(desktop, 'Ask for control')
  await expect(statusOf(desktop, 'Control')).toHaveText('Another agent was first')
})
test('after a reload the agent has control again, and sees the page', async ({ page, desktop }) => {
  await openVisit(page, desktop)
  await takeControl(page, desktop)
  await page.goto('/teams/create')
  await expect(mirrorOf(desktop).getByText('Create a new team')).toBeVisible()
  await expect(statusOf(desktop, 'Control')).toHaveText('Allowed')
})
