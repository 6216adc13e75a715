import { expect, type Page } from '@playwright/test'
import {
  test as base,
  promptOf,
  site,
  waitForAddonRestart,
  watchAddonStart,
} from './supportDesk.ts'

interface AgentPage {
  /** The agent's own browser: signed in, not yet at the desk. */
  desktop: Page
}

/** The support desk with an agent's browser beside Leo's. */
export const test = base.extend<AgentPage>({
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

/** What is said of control, the recording or the call. */
export const statusOf = (desktop: Page, what: string) =>
  desktop.getByRole('region', { name: what, exact: true }).getByRole('status')
/** What the agent points and draws on. */
export const surfaceOf = (desktop: Page) => desktop.getByRole('button', { name: /^Point, click/ })
/** Leo's page, as the agent sees it. */
export const mirrorOf = (desktop: Page) =>
  desktop.frameLocator('iframe[title="The page of Leo Garnier"]').frameLocator('iframe')
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()

/** Leo has the app open; Sam finds him in the list and opens his page. */
export async function openVisit(page: Page, desktop: Page, { row: name = /Leo Garnier/ } = {}) {
  const begun = watchAddonStart(page)
  await page.goto('/teams')
  await desktop.goto('/support')
  const row = desktop.getByRole('link', { name })
  // Who was here in an earlier test goes at once, but not at the same moment.
  await expect(row).toHaveCount(1)
  await begun()
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

/** The middle of something on Leo's page, as it lies on Sam's view of it. */
export async function pointOf(
  page: Page,
  desktop: Page,
  name: string | RegExp,
  role: 'link' | 'textbox',
) {
  const box = await page.getByRole(role, { name }).boundingBox()
  const view = await surfaceOf(desktop).boundingBox()
  if (!box || !view) throw new Error('It is not to be seen')
  const scale = view.width / (page.viewportSize()?.width ?? view.width)
  return { x: (box.x + box.width / 2) * scale, y: (box.y + box.height / 2) * scale }
}
