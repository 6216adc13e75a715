import { useCallback, useEffect, useRef, useState } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { appText } from '#web/text/app.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import typography from '#web/ui/theme/typography.module.css'
import type { Point, VisitConnection } from '../visit/visitConnection.ts'
import { disableLinks } from './disableLinks.ts'
import styles from './PageView.module.css'
import { pageEventsOf } from './pageEvents.ts'
import type { PageStream } from './pageStream.ts'
import type { PageReplay, Viewport } from './replay.ts'
import { Stage } from './Stage.tsx'
import { type Tool, usePointing } from './usePointing.ts'

interface Props {
  connection: VisitConnection
  /** Name of the visitor. */
  name: string
  /** Effect of the agent's pointer; null while the page is view-only. */
  tool: Tool | null
}

/** The visitor's page, as large as possible, below a surface that receives the agent's input. */
export function PageView(props: Props) {
  const [attempt, setAttempt] = useState(0)
  return <Attempt key={attempt} {...props} onRetry={() => setAttempt(before => before + 1)} />
}

function Attempt({ connection, name, tool, onRetry }: Props & { onRetry: () => void }) {
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const { viewport, failed, scrolled } = useReplay(connection.page, root)
  if (failed) {
    return (
      <LoadFailed title={deskText.viewFailed} message={appText.notLoadedText} onRetry={onRetry} />
    )
  }
  return (
    <Stage title={deskText.viewOf(name)} viewport={viewport} onRoot={setRoot}>
      {viewport && (
        <Surface connection={connection} tool={tool} viewport={viewport} scrolled={scrolled} />
      )}
    </Stage>
  )
}

interface SurfaceProps extends Pick<Props, 'connection' | 'tool'> {
  viewport: Viewport
  scrolled: () => Point
}

function Surface({ connection, tool, viewport, scrolled }: SurfaceProps) {
  const surface = useRef<HTMLButtonElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const pointing = usePointing({ connection, tool, viewport, scrolled, surface, canvas })
  return (
    <>
      <canvas ref={canvas} className={styles.layer} {...viewport} aria-hidden />
      {tool && (
        <button
          ref={surface}
          type="button"
          className={styles.surface}
          data-tool={tool}
          aria-label={tool === 'use' ? deskText.pointOn : deskText.draw}
          aria-describedby={tool === 'use' ? 'point-hint' : undefined}
          {...pointing}
          onPointerCancel={pointing.onPointerUp}
        />
      )}
      {tool === 'use' && (
        <p id="point-hint" className={typography.hidden}>
          {deskText.pointHint}
        </p>
      )}
    </>
  )
}

/** Replays a page into an element, once it is mounted, and returns the size of the page. */
function useReplay(page: PageStream, root: HTMLElement | null) {
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
