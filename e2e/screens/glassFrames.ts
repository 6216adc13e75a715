import type { Page } from '@playwright/test'
import type { GlassPlace } from '#contract/glass.ts'

/** Official timing on the glass of every session of a page. */
export interface Glass {
  /** Null: none is known. */
  flag: string | null
  /** Time from its line until it was painted; null if it was not. */
  tookMs: number | null
  place?: Omit<GlassPlace, 'seenAt'>
  /** The flag was entered by hand. */
  byHand?: string
}

/** Repeats official timing in the rooms of all sessions of the page. Call it before the page opens. */
export function showGlass(page: Page, glass: Glass) {
  return page.addInitScript(shown => {
    const scope = window as unknown as { glass?: Glass }
    const isRepeated = scope.glass !== undefined
    scope.glass = shown
    // The page may have shown another state before.
    if (isRepeated) return
    const since = Date.now() - 3000
    const feed = '00000000-0000-4000-8000-000000000001'
    window.WebSocket = new Proxy(WebSocket, {
      construct(target, values: [string]) {
        const socket = new target(...values)
        const sessions = new Set<string>()
        socket.addEventListener('message', ({ data }) => {
          const [, session] = /"room":"session:([^"]+)"/.exec(String(data)) ?? []
          if (session !== undefined) sessions.add(session)
        })
        setInterval(() => {
          const { flag = null, tookMs = null, place, byHand } = scope.glass ?? {}
          const seenAt = Date.now()
          const shownAt = tookMs === null ? null : since + tookMs
          for (const session of sessions)
            socket.dispatchEvent(
              new MessageEvent('message', {
                data: JSON.stringify({
                  t: 'official',
                  session,
                  feed,
                  number: 1,
                  flag: flag && {
                    feed,
                    change: 1,
                    flag,
                    since,
                    seenAt,
                    shownAt,
                    ...(byHand !== undefined && { byHand }),
                  },
                  place: place ? { ...place, seenAt } : null,
                }),
              }),
            )
        }, 300)
        return socket
      },
    })
  }, glass)
}
