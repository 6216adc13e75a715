import type { Gap } from '#contract/timing.ts'
import { timingText } from '#web/text/timing.ts'
import typography from '#web/ui/theme/typography.module.css'
import { gapText } from './figures.ts'
import styles from './OfficialPlace.module.css'
import { placeOf } from './placeOf.ts'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  /** The car's number; null if the session has no car. */
  number: string | null
}

/** The official place of a car with the gaps to its neighbours. */
export function OfficialPlace({ state: { run, isCurrent }, number }: Props) {
  const place = isCurrent && run ? placeOf(run.standings, number) : null
  if (!place)
    return (
      <p className={styles.place}>
        <b aria-hidden>{timingText.noPlace}</b>
        <span className={typography.hidden}>{timingText.placeUnknown}</span>
      </p>
    )
  const { position, className, classPosition, ahead, behind } = place
  return (
    <p className={styles.place}>
      <b>P{position}</b>
      {className !== null && (
        <i>
          {className} {classPosition}
        </i>
      )}
      {ahead && (
        <small>
          {shortGap(ahead.gap, '+')} <span>{timingText.gapTo(ahead.number ?? '?')}</span>
        </small>
      )}
      {behind && (
        <small>
          {shortGap(behind.gap, '\u2212')} <span>{timingText.gapFrom(behind.number ?? '?')}</span>
        </small>
      )}
    </p>
  )
}

/** Formats a gap as `1 lap`, or as seconds with this sign; `--` if it is not known. */
function shortGap(gap: Gap | null, sign: string): string {
  return gap ? gapText(gap).replace('+', sign) : timingText.noGap
}
