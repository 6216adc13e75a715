import type { Page } from '@playwright/test'

/**
 * Changes the frames that the page receives, or drops those for which `change` returns null. `change` runs in the page
 * and must not use anything outside itself. Unlike after `page.routeWebSocket`, the page can be used again.
 */
export function changeFrames<A>(
  page: Page,
  change: (text: string, argument: A) => string | null,
  argument: A,
) {
  const content = `(${String(wrapWebSocket)})(${String(change)}, ${JSON.stringify(argument)})`
  return page.addInitScript({ content })
}

/** Resolves when the page receives a frame with this text, on any connection that it opens from now on. */
export function frameOn(page: Page, text: string): Promise<void> {
  return new Promise(resolve => {
    page.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes(text)) resolve()
      }),
    )
  })
}

/** Runs in the page. */
function wrapWebSocket<A>(change: (text: string, argument: A) => string | null, argument: A) {
  const id = `${Math.random()} `
  window.WebSocket = new Proxy(WebSocket, {
    construct(target, values: [string]) {
      const socket = new target(...values)
      if (!socket.url.endsWith('/live')) return socket
      window.addEventListener('close live', () => socket.close())
      socket.addEventListener('message', event => {
        // Dispatched below: other changes of this page may still apply to it.
        if (event.lastEventId.includes(id)) return
        event.stopImmediatePropagation()
        const data = change(String(event.data), argument)
        const lastEventId = event.lastEventId + id
        if (data !== null) socket.dispatchEvent(new MessageEvent('message', { data, lastEventId }))
      })
      return socket
    },
  })
}
