import { useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { ChangeDriver } from '#web/stints/ChangeDriver.tsx'
import { wallText } from '#web/text/team/wall.ts'
import { useLaneRace } from '../lanes/useLaneRace.ts'
import styles from './SendKeys.module.css'

/** Changes the driver of the chosen car, in two presses; nothing for a team without drivers. */
export function DriverKey({ session }: { session: Session }) {
  const race = useLaneRace(session.id)
  const [isOpen, setOpen] = useState(false)
  if (!race || race.drivers.length === 0) return null
  return (
    <>
      <button type="button" className={styles.switch} onClick={() => setOpen(true)}>
        {wallText.driver}
      </button>
      <ChangeDriver session={session} race={race} open={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
