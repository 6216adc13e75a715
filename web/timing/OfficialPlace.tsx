import type { Gap } from '#contract/shared/timingRules.ts'
import { timingText } from '#web/text/timing.ts'
import { ageText } from '#web/ui/ages.ts'
import { type GapSign, gapText } from './figures.ts'
import styles from './OfficialPlace.module.css'
import { placeOf } from './placeOf.ts'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  state: OfficialState
  /** The car's number; null if the session has no car. */
  number: string | null
}

/** The official place of a car with the gaps to its neighbours, or as it was entered by hand, with its age; or nothing. */
export function OfficialPlace({ state, number }: Props) {
  const place = shownPlace(state, number)
  if (!place) return null
  const { position, className, classPosition, laps, ahead, behind, entered } = place
  const { lapsEnteredAgoMs = 0 } = place
  return (
    <p className={styles.place} data-place data-by-hand={entered ? true : undefined}>
      <b>P{position}</b>
      {className !== null && classPosition !== null && (
        <i>
          {className} {classPosition}
        </i>
      )}
      {entered ? (
        <>
          {(ahead || laps !== null) && (
            <small>
              {ahead && shortGap(ahead.gap, '+')}
              {laps !== null && (
                <span>
                  {ahead && ', '}
                  {timingText.onLap(laps, ageText(lapsEnteredAgoMs + state.lateMs))}
                </span>
              )}
            </small>
          )}
          <small>{timingText.byHandShort(ageText(entered.agoMs + state.lateMs))}</small>
        </>
      ) : (
        <>
          {ahead && (
            <small>
              {shortGap(ahead.gap, '+')} <span>{timingText.gapTo(ahead.number ?? '?')}</span>
            </small>
          )}
          {state.isRecorded ? (
            <small>{timingText.recorded}</small>
          ) : (
            behind && (
              <small>
                {shortGap(behind.gap, '\u2212')}{' '}
                <span>{timingText.gapFrom(behind.number ?? '?')}</span>
              </small>
            )
          )}
        </>
      )}
    </p>
  )
}

/** Returns the place of a car that is current, or was entered by hand; null if it is not known. */
export function shownPlace({ run, isCurrent }: OfficialState, number: string | null) {
  const place = run && placeOf(run.standings, number)
  return place && (place.entered ?? isCurrent) ? place : null
}

/** Formats a gap as `1 lap`, or as seconds with this sign; `--` if it is not known. */
function shortGap(gap: Gap | null, sign: GapSign): string {
  return gap ? gapText(gap, sign) : timingText.noGap
}
