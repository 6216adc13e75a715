import { lazy, Suspense, useState } from 'react'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { clockTickMs, useServerNow } from '#web/clocks/useServerNow.ts'
import { useLaps } from '#web/laps/useLaps.ts'
import { useStints } from '#web/stints/useStints.ts'
import { fuelText } from '#web/text/race/fuel.ts'
import typography from '#web/ui/theme/typography.module.css'
import { type StintFigures, stintFigures } from './figures.ts'
import styles from './StintLine.module.css'

// Few people of a team enter fuel.
const RefuelSheet = lazy(async () => ({
  default: (await import('./RefuelSheet.tsx')).RefuelSheet,
}))

interface Props {
  teamId: string
  sessionId: string
}

/** The stint, laps to pit and fuel on the message screen. A press opens the entry of fuel. */
export function StintLine({ teamId, sessionId }: Props) {
  const { data: race } = useStints(sessionId)
  const { data: table } = useLaps(sessionId)
  const now = useServerNow(clockTickMs)
  const viewer = useIsViewer(teamId)
  const [isOpen, setOpen] = useState(false)
  const figures = race && table && stintFigures(race, table, now)
  if (!figures) return null
  return (
    <>
      {viewer ? (
        <div className={styles.line} data-stint-line="">
          <Figures {...figures} />
        </div>
      ) : (
        <button
          type="button"
          className={styles.line}
          data-stint-line=""
          onClick={() => setOpen(true)}
        >
          <span className={typography.hidden}>{fuelText.refuel}</span>
          <Figures {...figures} />
        </button>
      )}
      {isOpen && (
        <Suspense>
          <RefuelSheet teamId={teamId} sessionId={sessionId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Figures({ stint, pit, fuel, last }: StintFigures) {
  return (
    <span className={styles.figures}>
      {last !== null && <Figure name={fuelText.last} value={last} only="low" />}
      <Figure name={stint.name} value={stint.time} />
      <Figure name={pit.name} value={pit.value} />
      <Figure name={fuelText.fuel} value={fuel.litres} more={fuel.plusMinus} only="high" />
    </span>
  )
}

interface FigureProps {
  name: string
  value: string
  more?: string | null
  /** Only on screens of this height. */
  only?: 'low' | 'high'
}

function Figure({ name, value, more, only }: FigureProps) {
  return (
    <span data-only={only}>
      <small>{name}</small> <b>{value}</b>
      {more && <i> {more}</i>}
    </span>
  )
}
