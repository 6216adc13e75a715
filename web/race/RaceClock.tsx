import { useState } from 'react'
import { raceClockText } from '#web/text/raceClock.ts'
import styles from './RaceClock.module.css'
import { RaceDialog } from './RaceDialog.tsx'
import { raceFigure } from './raceFigure.ts'
import type { CarRace } from './shownCarRace.ts'
import { useCarRace } from './useCarRace.ts'
import { clockTickMs, useServerNow } from './useServerNow.ts'

interface Props {
  sessionId: string
  /** False for viewers. */
  mayChange: boolean
}

/** The clock of the session's race on the message board, which opens the controls to start and pause it. */
export function RaceClock({ sessionId, mayChange }: Props) {
  const { race } = useCarRace(sessionId)
  if (!race?.race) return null
  return <Clock carRace={race} mayChange={mayChange} />
}

function Clock({ carRace, mayChange }: Pick<Props, 'mayChange'> & { carRace: CarRace }) {
  const nowMs = useServerNow(clockTickMs)
  const [isOpen, setOpen] = useState(false)
  const { race } = carRace
  const shown = raceFigure(carRace, nowMs)
  if (!race || !shown) return null
  const { label, value } = shown
  const figure = (
    <>
      <small>{label}</small>
      {/* It changes every second: not worth recording in a support visit. */}
      <b data-openreplay-hidden="">{value}</b>
    </>
  )
  if (!mayChange)
    return (
      <p className={styles.clock} data-race-clock>
        {figure}
      </p>
    )
  return (
    <>
      <button
        type="button"
        className={styles.clock}
        data-race-clock
        aria-label={`${raceClockText.open}: ${label} ${value}`}
        onClick={() => setOpen(true)}
      >
        {figure}
      </button>
      {isOpen && <RaceDialog race={race} onClose={() => setOpen(false)} />}
    </>
  )
}
