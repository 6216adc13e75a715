import { useCallback, useEffect, useRef, useState } from 'react'
import type { Point } from '../visit/visitConnection.ts'
import { disableLinks } from './disableLinks.ts'
import { pageEventsOf } from './pageEvents.ts'
import type { PageStream } from './pageStream.ts'
import type { PageReplay, Viewport } from './replay.ts'

/** Replays a page into an element, once it is mounted, and returns the size of the page. */
export function useReplay(page: PageStream, root: HTMLElement | null) {
  const [viewport, setViewport] = useState<Viewport | null>(null)
  const [failed, setFailed] = useState(false)
  const replay = useRef<PageReplay | null>(null)
  useEffect(() => {
    if (!root) return
    const place = root
    let unmounted = false
    let stopWatching = () => {}
    async function draw() {
      const { replayInto } = await import('./replay.ts')
      if (unmounted) return
      const drawn = replayInto(place, setViewport)
      replay.current = drawn
      let last = Promise.resolve()
      stopWatching = page.watch(chunk => {
        last = last
          .then(async () => disableLinks(await pageEventsOf(chunk)))
          .then(
            events => unmounted || drawn.show(events),
            () => setFailed(true),
          )
          .then(() => undefined)
      })
    }
    draw().catch(() => setFailed(true))
    return () => {
      unmounted = true
      stopWatching()
      replay.current?.stop()
      replay.current = null
    }
  }, [page, root])
  const scrolled = useCallback((): Point => replay.current?.scrolled() ?? [0, 0], [])
  return { viewport, failed, scrolled }
}
