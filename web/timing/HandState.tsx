import type { Entered, OfficialTiming } from '#contract/timing.ts'
import { useDeviceSecond } from '#web/live/useSecond.ts'
import { timingText } from '#web/text/timing.ts'
import { ageText } from '#web/ui/ages.ts'
import styles from './HandSheet.module.css'

interface Props {
  run: OfficialTiming['run']
  /** Time of the response, on this device's clock. */
  answeredAt: number
  /** Null for all cars. */
  number: string | null
  /** Undoes an entry; absent for viewers. */
  onUndo?: (entryId: string) => void
}

/** The values that are shown as entered by hand, by whom and when. */
export function HandState({ run, answeredAt, number, onUndo }: Props) {
  const lateMs = Math.max(0, useDeviceSecond() - answeredAt)
  const age = ({ agoMs }: Entered) => ageText(agoMs + lateMs)
  const { flag = null, flagEntered, standings = [] } = run ?? {}
  const cars = standings.filter(each => number === null || each.number === number)
  const lines = [
    ...(flagEntered
      ? [[flagEntered, timingText.handFlag(flag ?? '', flagEntered.by, age(flagEntered))] as const]
      : []),
    ...cars.flatMap(({ entered, position, number: car }) => {
      if (!entered) return []
      const text = timingText.handPlace(position, entered.by, age(entered))
      return [[entered, number === null ? `${car ?? '?'}: ${text}` : text] as const]
    }),
  ]
  if (lines.length === 0) return null
  return (
    <ul className={styles.entries}>
      {lines.map(([{ entryId }, text]) => (
        <li key={entryId}>
          <span>{text}</span>
          {onUndo && (
            <button type="button" onClick={() => onUndo(entryId)}>
              {timingText.undo}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
