import { expect, type Page } from '@playwright/test'
import { microphonesOf } from '../supportCalls.ts'
import { promptOf } from '../supportDesk.ts'
import type { ReplayAgent } from './replayDesk.ts'

export const border = (page: Page) => page.locator('.or-recording-border')
export const pointer = (page: Page, name = 'Mia Frost') =>
  page.locator('body > div').getByText(name)
export const frame = (page: Page) => page.locator('iframe[data-openreplay-ignore]')
export const allow = (page: Page) => promptOf(page).getByRole('button', { name: /^Allow/ })

export async function takeControl(page: Page, agent: ReplayAgent) {
  agent.requestControl()
  await allow(page).click()
  await agent.connection.next('control_granted', ([sent]) => isOwn(agent, sent))
}

export async function record(page: Page, agent: ReplayAgent) {
  agent.send('request_recording', '{}')
  await allow(page).click()
  await agent.connection.next('recording_accepted')
  await expect(border(page)).toBeVisible()
  await forgetNotices(agent)
}

/** Takes out the notices that nobody records, which an agent also receives when one joins. */
export async function forgetNotices({ connection }: ReplayAgent) {
  for (const _ of connection.received('recording_rejected')) {
    await connection.next('recording_rejected')
  }
}

/** Whether a control event is about this agent: all agents receive them. */
export function isOwn({ connection }: ReplayAgent, sent: unknown): boolean {
  return (sent as { data?: unknown }).data === connection.id
}

/** Waits until nothing of an agent is left on the page. */
export async function expectNoAgent(page: Page) {
  await expect(border(page)).toHaveCount(0)
  await expect(pointer(page)).toHaveCount(0)
  await expect(frame(page)).toHaveCount(0)
  await expect.poll(() => microphonesOf(page)).not.toContain('live')
}
