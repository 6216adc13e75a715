import { useState } from 'react'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { Race } from '#contract/races.ts'
import type { EarlierLaps } from '#racing/race/raceClock.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import styles from './RaceClock.module.css'
import { RaceDialog } from './RaceDialog.tsx'
import { raceFigure } from './raceFigure.ts'
import { useLaps } from './useLaps.ts'
import { clockTickMs, useServerNow } from './useServerNow.ts'
import { useStints } from './useStints.ts'

interface Props {
  sessionId: string
  /** False for viewers. */
  mayChange: boolean
}

/** The clock of the session's race on the message board, which opens the controls to start and pause it. */
export function RaceClock({ sessionId, mayChange }: Props) {
  const { data } = useStints(sessionId)
  if (!data?.race) return null
  return (
    <Clock
      race={data.race}
      visits={data.pitVisits}
      earlier={data}
      sessionId={sessionId}
      mayChange={mayChange}
    />
  )
}

function Clock({
  race,
  visits,
  earlier: { earlierLaps, earlierEnd },
  sessionId,
  mayChange,
}: Props & { race: Race; visits: readonly PitVisit[]; earlier: EarlierLaps }) {
  const nowMs = useServerNow(clockTickMs)
  const { data: table } = useLaps(race.length.in === 'laps' ? sessionId : null)
  const [isOpen, setOpen] = useState(false)
  const { label, value } = raceFigure(
    race,
    { laps: table?.laps ?? [], visits, earlierLaps, earlierEnd },
    nowMs,
  )
  const figure = (
    <>
      <small>{label}</small>
      {/* It changes every second: not worth recording in a support visit. */}
      <b data-openreplay-hidden="">{value}</b>
    </>
  )
  if (!mayChange) return <p className={styles.clock}>{figure}</p>
  return (
    <>
      <button
        type="button"
        className={styles.clock}
        aria-label={`${raceClockText.open}: ${label} ${value}`}
        onClick={() => setOpen(true)}
      >
        {figure}
      </button>
      {isOpen && <RaceDialog race={race} sessionId={sessionId} onClose={() => setOpen(false)} />}
    </>
  )
}
