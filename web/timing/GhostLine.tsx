import type { PitLoss } from '#racing/race/pitLoss.ts'
import { ghostStops } from '#racing/timing/ghostStop.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import styles from './GhostLine.module.css'
import { behindText, ghostNow, placesText } from './ghostFigures.ts'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  /** The car's number; null if the session has no car. */
  number: string | null
  /** The car's stops as the team measured them; null if none was. */
  own: PitLoss | null
}

/** The place of a car if it stopped now, in a hollow figure, because it is not its place yet. */
export function GhostLine({ state: { run, isCurrent, isFlagCurrent }, number, own }: Props) {
  const ghost =
    isCurrent && run
      ? ghostNow(ghostStops({ ...run, flag: isFlagCurrent ? run.flag : null }, number, own))
      : null
  if (!ghost)
    return (
      <p className={styles.ghost}>
        <s aria-hidden>{timingText.noPlace}</s>
        <span>{timingText.pitNowUnknown}</span>
      </p>
    )
  return (
    <p className={styles.ghost}>
      <s aria-hidden>{placesText(ghost)}</s>
      <span>
        <span className={typography.hidden}>{placesText(ghost)} </span>
        {timingText.pitNow}, {behindText(ghost)}
      </span>
    </p>
  )
}
