import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react'
import styles from './FittedWord.module.css'
import { fitWord } from './fitWord.ts'

interface Props {
  children: string
  /** As in `Word`. */
  variant: 'solid' | 'hollow' | 'flash'
}

/** Font size of a measurement: large, so that rounding to pixels does not matter. */
const measurePx = 200

/** A word of any letters that fills its container, measured on this screen. An ancestor of class `toned` colours it. */
export function FittedWord({ children, variant }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const word = useRef<HTMLParagraphElement>(null)
  const [fit, setFit] = useState<CSSProperties | null>(null)
  // Before the paint: the word never appears in another size.
  useLayoutEffect(() => {
    const measure = () => {
      if (!stage.current || !word.current) return
      const { clientWidth: widthPx, clientHeight: heightPx } = stage.current
      if (widthPx === 0 || heightPx === 0) return
      const { style } = word.current
      const before = { size: style.fontSize, width: style.fontStretch }
      style.fontSize = `${measurePx}px`
      const found = fitWord({ widthPx, heightPx }, percent => {
        style.fontStretch = `${percent}%`
        return (word.current?.getBoundingClientRect().width ?? 0) / measurePx
      })
      style.fontSize = before.size
      style.fontStretch = before.width
      setFit({
        '--fit-size': `${found.sizePx}px`,
        '--fit-width': `${found.widthPercent}%`,
      } as CSSProperties)
    }
    measure()
    const observer = new ResizeObserver(measure)
    if (stage.current) observer.observe(stage.current)
    // Letters of other alphabets arrive later.
    document.fonts.addEventListener('loadingdone', measure)
    return () => {
      observer.disconnect()
      document.fonts.removeEventListener('loadingdone', measure)
    }
  }, [children])
  return (
    <div className={styles.stage} ref={stage}>
      <p className={styles.word} data-look={variant} ref={word} style={fit ?? undefined}>
        {children}
      </p>
    </div>
  )
}
