import type { Page } from '@playwright/test'
import { Refusal, type RefusalCode } from '#contract/refusal.ts'

/** Leaves this call pending, so that the page keeps its loading state. */
export function stallCall(page: Page, call: string) {
  return page.route(`**/api/${call}*`, () => {})
}

/** Refuses this call. */
export function refuseCall(page: Page, call: string, code: RefusalCode) {
  const { status, body } = new Refusal(code)
  return page.route(`**/api/${call}*`, route => route.fulfill({ status, json: body }))
}

/** Prevents the live connection. */
export function blockLive(page: Page) {
  return page.routeWebSocket('**/live', connection => connection.close({ code: 1001 }))
}

/** Drops snapshots from the live connection, so that lists keep their loading state. */
export function blockSnapshots(page: Page) {
  return page.routeWebSocket('**/live', connection => {
    const server = connection.connectToServer()
    server.onMessage(message => {
      if (!String(message).includes('"snapshot"')) connection.send(message)
    })
  })
}

/** Moves the start of sessions with these names back by these ages, in API and live frames. */
export async function backdateSessions(
  page: Page,
  agesMs: Record<string, number>,
  phones: 'in contact' | 'silent' = 'in contact',
) {
  const contact = phones === 'silent' ? 'null' : Date.now()
  const earlier = (text: string) =>
    Object.entries(agesMs).reduce(
      (json, [name, ageMs]) =>
        json.replace(
          new RegExp(`("name":"${name}".*?"startedAt":)(\\d+)`, 'g'),
          (_, before: string, at: string) => `${before}${Number(at) - ageMs}`,
        ),
      text.replaceAll(/"lastDriverContactAt":(null|\d+)/g, `"lastDriverContactAt":${contact}`),
    )
  await page.route('**/api/sessions.listActive*', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: earlier(await response.text()) })
  })
  await page.routeWebSocket('**/live', connection => {
    const server = connection.connectToServer()
    server.onMessage(message => connection.send(earlier(String(message))))
  })
}

/** Shows these users as watching every room, in live frames. */
export async function showWatching(page: Page, users: readonly string[]) {
  await page.routeWebSocket('**/live', connection => {
    const server = connection.connectToServer()
    server.onMessage(message => {
      const frame = JSON.parse(String(message))
      if (frame.t === 'snapshot') frame.snapshot.watching = users
      if (frame.t === 'watching') frame.users = users
      connection.send(JSON.stringify(frame))
    })
  })
}

/** Makes the signed-in user a viewer of the team, for this page only. */
export async function becomeViewer(page: Page) {
  await page.route('**/api/teams.get*', async route => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), role: 'viewer', ownerId: null },
    })
  })
}
