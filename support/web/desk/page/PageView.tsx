import { useRef, useState } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { appText } from '#web/text/app.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import typography from '#web/ui/theme/typography.module.css'
import type { Point, VisitConnection } from '../visit/visitConnection.ts'
import styles from './PageView.module.css'
import type { Viewport } from './replay.ts'
import { Stage } from './Stage.tsx'
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

function Attempt({ connection, name, tool, onRetry }: Props & { onRetry: () => void }) {
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const { viewport, failed, scrolled } = useReplay(connection.page, root)
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
