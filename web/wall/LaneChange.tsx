import type { ReactNode } from 'react'
import type { Session } from '#contract/sessions.ts'
import { driverLetter } from '#web/message/letters.ts'
import { DriverChangeButton } from '#web/race/DriverChangeButton.tsx'
import { driverName, lastWord, stintDriverName } from '#web/race/driverName.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useDriverProposal } from '#web/race/useDriverProposal.ts'
import { driverChangeText } from '#web/text/driverChange.ts'
import styles from './Lane.module.css'

interface Props {
  session: Session
  /** Undefined while loading. */
  race: CarRace | undefined
  /** Letters act on this car. */
  hasLetters: boolean
  /** The driver's name. */
  children: ReactNode
}

/** The driver's name or, after a stop whose planned driver change nobody has confirmed, the question in its place. */
export function LaneChange({ session, race, hasLetters, children }: Props) {
  const asked = useDriverProposal(session.id, race)
  if (!race || asked?.from === undefined) return children
  const driver = stintDriverName({ driverId: asked.plannedId, sessionId: session.id }, race)
  return (
    <DriverChangeButton
      session={session}
      race={race}
      asked={asked}
      renderButton={button => (
        <button
          type="button"
          className={`${styles.enter} ${styles.asks}`}
          data-key={driverLetter}
          aria-label={driverChangeText.accept(driverName(session), driver)}
          {...button}
        >
          {hasLetters && <kbd aria-hidden>{driverLetter}</kbd>}{' '}
          {driverChangeText.isIn(lastWord(driver))}
        </button>
      )}
    />
  )
}
