import { Replayer } from '@rrweb/replay'
import type { PageEvent } from './pageEvents.ts'

/** Size of the visitor's viewport, in CSS pixels. */
export interface Viewport {
  readonly width: number
  readonly height: number
}

/** The playback of a recording. */
export interface Playback {
  readonly durationMs: number
  /** Current position, from the start. */
  positionMs(): number
  /** Plays from a position. */
  play(fromMs: number): void
  /** Pauses, at a position if one is given. */
  pause(atMs?: number): void
  stop(): void
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
    ...quiet,
    root,
    liveMode: true,
    // The virtual DOM is only flushed when a recording is played.
    useVirtualDom: false,
  })
  onResize(replayer, resized)
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

interface PlayedRecording {
  events: readonly PageEvent[]
  resized: (viewport: Viewport) => void
  /** Called when the end is reached. */
  finished: () => void
}

/** Plays a recording into an element of the view's document. It is paused at its start. */
export function playInto(
  root: HTMLElement,
  { events, resized, finished }: PlayedRecording,
): Playback {
  const replayer = new Replayer([...events], { ...quiet, root })
  onResize(replayer, resized)
  replayer.on('finish', finished)
  // rrweb draws only events before the position, and the full snapshot is the second one.
  const [first, snapshot] = events
  const drawnMs = (snapshot?.timestamp ?? 0) - (first?.timestamp ?? 0) + 1
  replayer.pause(drawnMs)
  return {
    durationMs: replayer.getMetaData().totalTime,
    positionMs: () => replayer.getCurrentTime(),
    play: fromMs => replayer.play(fromMs),
    pause: atMs => replayer.pause(atMs === undefined ? undefined : Math.max(atMs, drawnMs)),
    stop: () => replayer.destroy(),
  }
}

/** Options of every replay. */
const quiet = {
  mouseTail: false,
  triggerFocus: false,
  showWarning: false,
  // Missing resources of the page are not actionable for an agent.
  logger: { log: () => undefined, warn: () => undefined },
}

function onResize(replayer: Replayer, resized: (viewport: Viewport) => void) {
  replayer.on('resize', size => {
    const { width, height } = size as Viewport
    if (isLength(width) && isLength(height)) resized({ width, height })
  })
}

/** No screen is larger; a malicious page must not break the agent's. */
const maxPx = 20_000

function isLength(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= maxPx
}
