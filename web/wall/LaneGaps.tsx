import type { Gap, Gaps } from '#racing/race/gaps.ts'
import { wallText } from '#web/text/wall.ts'
import typography from '#web/ui/theme/typography.module.css'

interface Props {
  gaps: Gaps | undefined
  /** The plates of the team's cars by lane. */
  plates: ReadonlyMap<string, string>
}

/** The gaps to the team's own cars ahead and behind. */
export function LaneGaps({ gaps, plates }: Props) {
  const show = (gap: Gap | null | undefined, sign: string) =>
    gap && (
      <small>
        {!gap.isCertain && <Estimated />}
        {gapText(gap, sign)} <i>{wallText.gapTo(plates.get(gap.id) ?? '')}</i>
      </small>
    )
  return (
    <>
      {show(gaps?.ahead, '+')}
      {show(gaps?.behind, '\u2212')}
    </>
  )
}

/** A mark before a figure that may be whole laps wrong. */
function Estimated() {
  return (
    <>
      <span className={typography.hidden}>{wallText.estimated} </span>
      <span aria-hidden>{wallText.about}</span>
    </>
  )
}

/** Not known if the car behind has more than caught up since: until both complete the same lap. */
function gapText({ laps, timeMs }: Gap, sign: string): string {
  if (laps > 0) return `${sign}${wallText.laps(laps)}`
  return timeMs === 0 ? wallText.noTime : `${sign}${(timeMs / 1000).toFixed(1)}`
}
