import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { viewPage } from '#support/contract/supportRules.ts'
import { deskText } from '#support/web/text/desk.ts'
import { appText } from '#web/text/app.ts'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import typography from '#web/ui/theme/typography.module.css'
import type { Point, VisitConnection } from '../visit/visitConnection.ts'
import styles from './PageView.module.css'
import type { Viewport } from './replay.ts'
import { type Tool, usePointing } from './usePointing.ts'
import { useReplay } from './useReplay.ts'

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

/** Until the page has reported its size. */
const unknown: Viewport = { width: 390, height: 844 }

function Attempt({ connection, name, tool, onRetry }: Props & { onRetry: () => void }) {
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const { viewport, failed, scrolled } = useReplay(connection.page, root)
  const { width, height } = viewport ?? unknown
  const scale = useWidth(stage) / width
  if (failed) {
    return (
      <LoadFailed
        title={deskText.viewFailed}
        message={appText.notLoadedText}
        retryLabel={appText.tryAgain}
        retrying={false}
        onRetry={onRetry}
      />
    )
  }
  const size = { '--view-width': width, '--view-height': height } as CSSProperties
  return (
    <div ref={stage} className={styles.stage} style={size}>
      <iframe
        inert
        className={styles.frame}
        src={viewPage}
        title={deskText.viewOf(name)}
        style={{ width, height, transform: `scale(${scale})` }}
        onLoad={event => setRoot(event.currentTarget.contentDocument?.body ?? null)}
      />
      {viewport ? (
        <Surface connection={connection} tool={tool} viewport={viewport} scrolled={scrolled} />
      ) : (
        <output className={styles.waiting}>{deskText.viewLoading}</output>
      )}
    </div>
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

/** Current width of an element, in CSS pixels. */
function useWidth(element: { current: HTMLElement | null }): number {
  const [widthPx, setWidthPx] = useState(0)
  useEffect(() => {
    const watched = element.current
    if (!watched) return
    const observer = new ResizeObserver(() => setWidthPx(watched.clientWidth))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [element])
  return widthPx
}
