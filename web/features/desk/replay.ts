import { Replayer } from '@rrweb/replay'
import type { PageEvent } from './pageEvents.ts'

/** How large the visitor sees the page, in CSS pixels. */
export interface Viewport {
  readonly width: number
  readonly height: number
}

/** A page as it is elsewhere, drawn again as it changes. */
export interface PageReplay {
  show(events: readonly PageEvent[]): void
  /** How far the page is scrolled. */
  scrolled(): readonly [number, number]
  stop(): void
}

/**
 * Draws a page into an element of the view's document, in which nothing of it can run. `resized` hears how
 * large it is, at first and whenever that changes.
 */
export function replayInto(root: HTMLElement, resized: (viewport: Viewport) => void): PageReplay {
  const replayer = new Replayer([], {
    root,
    liveMode: true,
    // What it gathers there it draws only when a recording is played.
    useVirtualDom: false,
    mouseTail: false,
    triggerFocus: false,
    showWarning: false,
    // What a page lacks is nothing an agent can do about.
    logger: { log: () => undefined, warn: () => undefined },
  })
  replayer.on('resize', size => {
    const { width, height } = size as Viewport
    if (isLength(width) && isLength(height)) resized({ width, height })
  })
  let begun = false
  return {
    show(events) {
      const [first] = events
      if (first && !begun) replayer.startLive(first.timestamp)
      begun ||= first !== undefined
      for (const event of events) replayer.addEvent(event)
    },
    scrolled() {
      const { scrollX = 0, scrollY = 0 } = replayer.iframe.contentWindow ?? {}
      return [scrollX, scrollY]
    },
    stop() {
      replayer.timer.clear()
      replayer.destroy()
    },
  }
}

/** No screen is larger; a page that lies about its own must not break the agent's. */
const mostPx = 20_000

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= mostPx
}
