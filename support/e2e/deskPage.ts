import { expect, type Page } from '@playwright/test'
import { site } from './deskServers.ts'
import { test as base, promptOf, waitForAddonRestart, watchAddonStart } from './supportDesk.ts'

interface AgentPage {
  /** The agent's browser: signed in, with the desk not open yet. */
  desktop: Page
}

/** The support desk with an agent's browser in addition to Leo's. */
export const test = base.extend<AgentPage>({
  desktop: async ({ builtInDesk: { pages }, agentPerson, serviceWorkers }, provide, info) => {
    const sam = await agentPerson('sam')
    const page = await pages.take({
      baseURL: site,
      serviceWorkers,
      viewport: { width: 1440, height: 900 },
    })
    await page.context().addCookies(sam.jar.cookiesFor(site))
    const errors: string[] = []
    page.on('pageerror', error => errors.push(String(error)))
    page.on('console', message => {
      if (/content security policy/i.test(message.text())) errors.push(message.text())
    })
    await provide(page)
    await pages.give(page, { reuse: info.status === info.expectedStatus })
    expect(errors).toEqual([])
  },
})

/** The status of control, the recording or the call. */
export const statusOf = (desktop: Page, what: string) =>
  desktop.getByRole('region', { name: what, exact: true }).getByRole('status')
/** The surface on which the agent points and draws. */
export const surfaceOf = (desktop: Page) => desktop.getByRole('button', { name: /^Point, click/ })
/** The replay of Leo's page on the agent's screen. */
export const mirrorOf = (desktop: Page) =>
  desktop.frameLocator('iframe[title="The page of Leo Garnier"]').frameLocator('iframe')
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Opens the app as Leo, then his visit as Sam from the list. */
export async function openVisit(page: Page, desktop: Page, { row: name = /Leo Garnier/ } = {}) {
  const addonStarted = watchAddonStart(page)
  await page.goto('/teams')
  await desktop.goto('/support')
  const row = desktop.getByRole('link', { name })
  // Visits of earlier tests may take a moment to disappear.
  await expect(row).toHaveCount(1)
  await addonStarted()
  const ready = waitForAddonRestart(page)
  await row.click()
  await expect(desktop.getByRole('heading', { level: 1 })).toHaveText('Leo Garnier')
  await ready
}

export async function takeControl(page: Page, desktop: Page) {
  await press(desktop, 'Ask for control')
  await promptOf(page).getByRole('button', { name: 'Allow control' }).click()
  await expect(statusOf(desktop, 'Control')).toHaveText('Allowed')
}

/** Maps the centre of an element on Leo's page to Sam's view of it. */
export async function pointOf(
  page: Page,
  desktop: Page,
  name: string | RegExp,
  role: 'link' | 'textbox',
) {
  const box = await page.getByRole(role, { name }).boundingBox()
  const view = await surfaceOf(desktop).boundingBox()
  if (!box || !view) throw new Error('The element or the view is not visible')
  const scale = view.width / (page.viewportSize()?.width ?? view.width)
  return { x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale }
}
