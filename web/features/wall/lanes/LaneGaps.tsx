import type { Gap, Gaps } from '#racing/gaps/gaps.ts'
import { wallText } from '#web/text/team/wall.ts'
import styles from './Lane.module.css'

interface Props {
  gaps: Gaps | undefined
  /** The plates of the team's cars by session. */
  plates: ReadonlyMap<string, string>
}

/** The gaps to the team's own cars ahead and behind, after the last lap that both have driven. */
export function LaneGaps({ gaps, plates }: Props) {
  const show = (gap: Gap | null | undefined, sign: string) =>
    gap && (
      <small>
        {sign}
        {gap.laps > 0 ? wallText.laps(gap.laps) : (gap.timeMs / 1000).toFixed(1)}{' '}
        <i>{wallText.gapTo(plates.get(gap.id) ?? '')}</i>
      </small>
    )
  return (
    <div className={styles.gaps}>
      {show(gaps?.ahead, '+')}
      {show(gaps?.behind, '\u2212')}
    </div>
  )
}
