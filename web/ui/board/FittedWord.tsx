import { type CSSProperties, Fragment, useLayoutEffect, useRef, useState } from 'react'
import styles from './FittedWord.module.css'
import { fitLines, lineEm } from './fitWord.ts'

interface Props {
  children: string
  /** As in `Word`. */
  variant: 'solid' | 'hollow' | 'flash'
  /** Breaks at spaces where that makes it larger. */
  breaks?: boolean
}

/** Font size of a measurement: large, so that rounding to pixels does not matter. */
const measurePx = 200

/** A word of any letters that fills its container, measured on this screen. An ancestor of class `toned` colours it. */
export function FittedWord({ children, variant, breaks = false }: Props) {
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
      const before = { size: style.fontSize, stretch: style.fontStretch, width: style.width }
      style.fontSize = `${measurePx}px`
      const lines = breaks ? children.split(' ').length : 1
      const found = fitLines({ widthPx, heightPx }, lines, (percent, isBroken) => {
        style.fontStretch = `${percent}%`
        style.width = isBroken ? 'min-content' : 'auto'
        style.whiteSpace = isBroken ? 'normal' : 'nowrap'
        return (word.current?.getBoundingClientRect().width ?? 0) / measurePx
      })
      style.fontSize = before.size
      style.fontStretch = before.stretch
      style.width = before.width
      style.whiteSpace = ''
      setFit({
        '--fit-size': `${found.sizePx}px`,
        '--fit-width': `${found.widthPercent}%`,
        ...(found.isBroken && {
          '--fit-wrap': 'min-content',
          '--fit-space': 'normal',
          '--fit-line': lineEm,
        }),
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
  }, [children, breaks])
  return (
    <div className={styles.stage} ref={stage}>
      <p className={styles.word} data-look={variant} ref={word} style={fit ?? undefined}>
        {breaks ? wordsOf(children) : children}
      </p>
    </div>
  )
}

/** A line breaks only between words, not after a hyphen. */
function wordsOf(text: string) {
  return text.split(' ').map((each, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the words of a text do not move
    <Fragment key={index}>
      {index > 0 && ' '}
      <span>{each}</span>
    </Fragment>
  ))
}
