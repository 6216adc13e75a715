import { Replayer } from '@rrweb/replay'
import type { PageEvent } from './pageEvents.ts'

/** Size of the visitor's viewport, in CSS pixels. */
export interface Viewport {
  readonly width: number
  readonly height: number
}

/** A live replay of a visitor's page. */
export interface PageReplay {
  show(events: readonly PageEvent[]): void
  /** Scroll offset of the page. */
  scrolled(): readonly [number, number]
  stop(): void
}

/**
 * Replays a page into an element of the view's document, where none of its scripts can run. Calls
 * `resized` with the size of the page, initially and after each change.
 */
export function replayInto(root: HTMLElement, resized: (viewport: Viewport) => void): PageReplay {
  const replayer = new Replayer([], {
    root,
    liveMode: true,
    // The virtual DOM is only flushed when a recording is played.
    useVirtualDom: false,
    mouseTail: false,
    triggerFocus: false,
    showWarning: false,
    // Missing resources of the page are not actionable for an agent.
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

/** No screen is larger; a malicious page must not break the agent's. */
const maxPx = 20_000

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= maxPx
}
