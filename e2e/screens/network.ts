import type { Page } from '@playwright/test'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'

/** The server never answers this call: what waits for it goes on waiting. */
export function stallCall(page: Page, call: string) {
  return page.route(`**/api/${call}*`, () => {})
}

/** The server refuses this call. */
export function refuseCall(page: Page, call: string, code: RefusalCode) {
  const { status, body } = new Refusal(code)
  return page.route(`**/api/${call}*`, route => route.fulfill({ status, json: body }))
}

/** The live line does not come up. */
export function blockLive(page: Page) {
  return page.routeWebSocket('**/live', line => line.close({ code: 1001 }))
}

/** The live line is up, but tells nothing: a list that waits goes on waiting. */
export function blockSnapshots(page: Page) {
  return page.routeWebSocket('**/live', line => {
    const server = line.connectToServer()
    server.onMessage(message => {
      if (!String(message).includes('"snapshot"')) line.send(message)
    })
  })
}

/** Sessions of this name began that long before now, wherever the server tells of them. */
export async function backdateSessions(page: Page, agesMs: Record<string, number>) {
  const earlier = (text: string) =>
    Object.entries(agesMs).reduce(
      (json, [name, ageMs]) =>
        json.replace(
          new RegExp(`("name":"${name}".*?"startedAt":)(\\d+)`, 'g'),
          (_, before: string, at: string) => `${before}${Number(at) - ageMs}`,
        ),
      text,
    )
  await page.route('**/api/sessions.listActive*', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: earlier(await response.text()) })
  })
  await page.routeWebSocket('**/live', line => {
    const server = line.connectToServer()
    server.onMessage(message => line.send(earlier(String(message))))
  })
}
