import { useState } from 'react'
import { WhichPhone } from '#web/race/WhichPhone.tsx'
import { wallText } from '#web/text/wall.ts'
import styles from './SendKeys.module.css'
import type { CarLane } from './useLanes.ts'

/** Decides which phone is in the chosen car; nothing for a car with one phone. */
export function PhoneKey({ lane: { phones, race } }: { lane: CarLane }) {
  const [isOpen, setOpen] = useState(false)
  if (!race || phones.length < 2) return null
  return (
    <>
      <button
        type="button"
        className={styles.switch}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {wallText.phone}
      </button>
      <WhichPhone race={race} open={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
