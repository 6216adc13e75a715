import type { Page } from '@playwright/test'
import { changeFrames } from '../liveFrames.ts'
import { changeResponse } from '../mockApi.ts'

/** Prevents the live connection: each of the page's sockets closes, with this code, before the page can use it. */
export function blockLive(page: Page, code?: number) {
  return page.addInitScript({ content: `(${String(closeWebSocket)})(${code ?? ''})` })
}

/** Drops snapshots from the live connection, so that lists keep their loading state. */
export function blockSnapshots(page: Page) {
  return changeFrames(page, text => (text.includes('"snapshot"') ? null : text), null)
}

/** Drops these events from the live connection, as if it was lost just then. */
export function missEvents(page: Page, type: 'team-changed' | 'session-ended') {
  return changeFrames(page, (text, t) => (JSON.parse(text).t === t ? null : text), type)
}

/** Closes the live connections of a page whose frames are changed. The page reconnects. */
export function closeLive(page: Page) {
  return page.evaluate(() => window.dispatchEvent(new Event('close live')))
}

/** Holds back the live connections of a page until the returned function is called. */
export async function holdLive(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript({ content: `(${String(holdWebSocket)})()` })
  return () => page.evaluate(() => void window.dispatchEvent(new Event('open live')))
}

/** Moves the start of sessions with these names back by these ages, in API and live frames. */
export async function backdateSessions(
  page: Page,
  agesMs: Record<string, number>,
  phones: 'in contact' | 'silent' = 'in contact',
) {
  const contact = phones === 'silent' ? 'null' : Date.now()
  await changeResponse(page, 'sessions.listActive', json =>
    JSON.parse(moveBack(JSON.stringify(json), { agesMs, contact })),
  )
  await changeFrames(page, moveBack, { agesMs, contact })
}

/** Runs in Node and in the page. */
function moveBack(
  text: string,
  { agesMs, contact }: { agesMs: Record<string, number>; contact: string | number },
): string {
  return Object.entries(agesMs).reduce(
    (json, [name, ageMs]) =>
      json.replace(
        new RegExp(`("name":"${name}".*?"startedAt":)(\\d+)`, 'g'),
        (_, before: string, at: string) => `${before}${Number(at) - ageMs}`,
      ),
    text.replaceAll(/"lastDriverContactAt":(null|\d+)/g, `"lastDriverContactAt":${contact}`),
  )
}

/** Shows these users as watching every room, in live frames. */
export function showWatching(page: Page, users: readonly string[]) {
  return changeFrames(
    page,
    (text, watching) => {
      const frame = JSON.parse(text)
      if (frame.t === 'snapshot') frame.snapshot.watching = watching
      if (frame.t === 'watching') frame.users = watching
      return JSON.stringify(frame)
    },
    users,
  )
}

/** Shows an open problem of the sessions with this name, for this page only. */
export async function showProblem(page: Page, name: string) {
  const at = Date.now() - 54_000
  const problem = { id: crypto.randomUUID(), number: 1, kind: 'Problem', version: 0, at }
  const changes = { name, problem: { ...problem, receivedAt: at } }
  await changeResponse(page, 'sessions.listActive', (sessions: { name: string }[]) =>
    sessions.map(each => (each.name === name ? { ...each, problem: changes.problem } : each)),
  )
  await changeFrames(
    page,
    (text, { name, problem }) => {
      const frame = JSON.parse(text)
      if (frame.snapshot?.of === 'team')
        for (const each of frame.snapshot.sessions)
          if (each.name === name) Object.assign(each, { problem })
      return JSON.stringify(frame)
    },
    changes,
  )
}

/** Makes the signed-in user a viewer of the team, for this page only. */
export async function becomeViewer(page: Page) {
  const viewer = { role: 'viewer', ownerId: null }
  await changeResponse(page, 'teams.get', (team: object) => ({ ...team, ...viewer }))
  await changeFrames(
    page,
    (text, viewer) => {
      const frame = JSON.parse(text)
      if (frame.snapshot?.of === 'user')
        for (const team of frame.snapshot.teams) Object.assign(team, viewer)
      return JSON.stringify(frame)
    },
    viewer,
  )
}

/** Runs in the page. */
function holdWebSocket() {
  let isHeld = true
  window.addEventListener('open live', () => (isHeld = false))
  window.WebSocket = new Proxy(WebSocket, {
    construct(target, values: [string]) {
      const socket = new target(...values)
      if (!socket.url.endsWith('/live')) return socket
      socket.addEventListener('open', event => {
        if (!isHeld) return
        event.stopImmediatePropagation()
        window.addEventListener('open live', () => socket.dispatchEvent(new Event('open')))
      })
      return socket
    },
  })
}

/** Runs in the page. */
function closeWebSocket(code?: number) {
  window.WebSocket = new Proxy(WebSocket, {
    construct(target, values: [string]) {
      const socket = new target(...values)
      if (!socket.url.endsWith('/live')) return socket
      socket.addEventListener('open', event => {
        event.stopImmediatePropagation()
        socket.close(code)
      })
      return socket
    },
  })
}
