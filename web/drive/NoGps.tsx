import { useEffect, useState } from 'react'
import { askForPosition } from '#web/device/geolocation.ts'
import { checksText, standingText } from '#web/text/checks.ts'
import { counterText } from '#web/ui/ages.ts'
import { repairOf } from './checkTexts.ts'
import styles from './NoGps.module.css'
import { type PhoneInput, phoneChecks } from './phoneChecks.ts'
import { type Gps, useGps } from './usePosition.ts'

/** A shorter time without a position is a bridge or a tunnel. */
const shownAfterMs = 10_000

interface Props {
  gps: Gps
  input: PhoneInput
}

/** Why there is no position, and what to do, below "No GPS". The laps cover it while a position is only lost. */
export function NoGps({ gps, input }: Props) {
  const lostMs = useLostMs(useGps(gps, ({ state }) => state) === 'lost')
  const check = phoneChecks(input).find(({ name }) => name === 'location')
  const isLost = check?.finding === 'locating'
  const repair = check && repairOf(check, input)
  if (!repair || input.gps === null || input.gps === 'good' || input.gps === 'inaccurate')
    return null
  if (isLost && lostMs < shownAfterMs) return null
  const [first = '', ...more] = repair.steps
  return (
    <section className={styles.noGps} data-no-gps="" data-lost={isLost || undefined}>
      <output>{isLost ? standingText.noSatellites(counterText(lostMs)) : repair.title}</output>
      <p>{isLost ? checksText.inOneLine([first]) : checksText.inOneLine([first, ...more])}</p>
      {check.finding === 'askLocation' && (
        <button type="button" onClick={askForPosition}>
          {checksText.askForLocation}
        </button>
      )}
    </section>
  )
}

/** Milliseconds since the position was lost, each second; 0 while it is not. */
function useLostMs(isLost: boolean): number {
  const [ms, setMs] = useState(0)
  useEffect(() => {
    if (!isLost) return
    const since = performance.now()
    const timer = setInterval(() => setMs(performance.now() - since), 1000)
    return () => {
      clearInterval(timer)
      setMs(0)
    }
  }, [isLost])
  return ms
}
