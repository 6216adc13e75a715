import { type ReactNode, useEffect, useRef } from 'react'
import { LapBoardFoot } from '#web/laps/LapBoardView.tsx'
import { lapBoardText } from '#web/text/lapBoard.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './DriverGlass.module.css'

/** Longer and shorter side of a phone's screen. */
const phonePx = { long: 844, short: 390 }

interface Props {
  speedKmh: number | null
  /** Returns the screen with the lower corner. */
  render: (foot: ReactNode) => ReactNode
}

/** Laps or stop of the driver's screen, in the sizes of a phone and scaled to the box. */
export function ReplayedPhone({ speedKmh, render }: Props) {
  const phone = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = phone.current
    const box = element?.parentElement
    if (!element || !box) return
    const fit = new ResizeObserver(() => {
      const { clientWidth, clientHeight } = box
      const { long, short } = phonePx
      const isLandscape = clientWidth > clientHeight
      const [width, height] = isLandscape ? [long, short] : [short, long]
      element.toggleAttribute('data-landscape', isLandscape)
      element.style.scale = String(Math.min(clientWidth / width, clientHeight / height))
    })
    fit.observe(box)
    return () => fit.disconnect()
  }, [])
  const foot =
    speedKmh === null ? (
      <LapBoardFoot figure="" text={lapBoardText.noGps} />
    ) : (
      <LapBoardFoot figure={wholeNumber(speedKmh)} text={lapBoardText.kmh} />
    )
  return (
    <div ref={phone} className={styles.phone}>
      {render(foot)}
    </div>
  )
}
