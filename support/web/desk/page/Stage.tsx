import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { viewPage } from '#support/contract/supportRules.ts'
import { deskText } from '#support/web/text/desk.ts'
import styles from './PageView.module.css'
import type { Viewport } from './replay.ts'

interface Props {
  /** Name of the frame. */
  title: string
  /** Null until the page has reported its size. */
  viewport: Viewport | null
  /** Receives the element into which the page is replayed, once it is loaded. */
  onRoot: (root: HTMLElement | null) => void
  /** Shown above the page. */
  children?: ReactNode
}

const unknown: Viewport = { width: 390, height: 844 }

/** A visitor's page, as large as possible. */
export function Stage({ title, viewport, onRoot, children }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const { width, height } = viewport ?? unknown
  const scale = useWidth(stage) / width
  const size = { '--view-width': width, '--view-height': height } as CSSProperties
  return (
    <div ref={stage} className={styles.stage} style={size}>
      <iframe
        inert
        className={styles.frame}
        src={viewPage}
        title={title}
        style={{ width, height, transform: `scale(${scale})` }}
        onLoad={event => onRoot(event.currentTarget.contentDocument?.body ?? null)}
      />
      {viewport ? children : <output className={styles.waiting}>{deskText.viewLoading}</output>}
    </div>
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
