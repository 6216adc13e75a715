import { LapBoardFoot } from '#web/laps/LapBoardView.tsx'
import { lapBoardText } from '#web/text/lapBoard.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { type Gps, useGps } from './usePosition.ts'

interface FootProps {
  gps: Gps
  isPoor: boolean
}

/** The speed, or how poor the GPS is, on the lap board. */
export function Foot(props: FootProps) {
  return <LapBoardFoot {...useFoot(props)} />
}

/** The content of `Foot` as plain text. */
export function FootText(props: FootProps) {
  const { figure, text } = useFoot(props)
  return `${figure} ${text}`
}

function useFoot({ gps, isPoor }: FootProps) {
  const { accuracyM = null, speedKmh = null } = useGps(gps, ({ reading }) => reading) ?? {}
  if (isPoor && accuracyM !== null)
    return { figure: '', text: lapBoardText.accuracy(wholeNumber(Math.round(accuracyM))) }
  if (speedKmh === null) return { figure: '', text: lapBoardText.noGps }
  return { figure: wholeNumber(speedKmh), text: lapBoardText.kmh }
}
