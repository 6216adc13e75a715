import type { GlassCar, GlassPlace as Place } from '#contract/glass.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { glassText } from '#web/text/glass.ts'
import { timingText } from '#web/text/timing.ts'
import { type GapSign, gapText } from '#web/timing/figures.ts'
import { ageText, minutesAndSeconds } from '#web/ui/ages.ts'
import typography from '#web/ui/theme/typography.module.css'
import styles from './GlassPlace.module.css'

/** The official place of the car with the gaps that the team has chosen, as a slot of the lap board; null: not known. */
export function GlassPlace({ place }: { place: Place | null }) {
  if (place === null)
    return (
      <p className={styles.place} data-unknown="">
        <span className={styles.own}>
          <b aria-hidden>{timingText.noPlace}</b>
          <small>{timingText.placeUnknown}</small>
        </span>
      </p>
    )
  const { place: own, ahead, behind, faster, enteredAt } = place
  const isByHand = enteredAt !== undefined
  return (
    <p className={styles.place} data-by-hand={isByHand || undefined}>
      {own && (
        <span className={styles.own} data-long={own.position > 9 || undefined}>
          <b>P{own.position}</b>
          {own.className !== null && own.classPosition !== null && (
            <small>{glassText.inClass(own.className, own.classPosition)}</small>
          )}
        </span>
      )}
      <span className={styles.gaps}>
        {ahead && <Gap car={ahead} sign="+" word={glassText.ahead} text={timingText.gapTo} />}
        {behind && (
          <Gap car={behind} sign={'\u2212'} word={glassText.behind} text={timingText.gapFrom} />
        )}
        {faster && (
          <Gap
            car={faster}
            sign={'\u2212'}
            word={glassText.faster}
            text={glassText.fasterCar}
            isFaster
          />
        )}
      </span>
      {isByHand && (
        <small>
          <ByHand at={enteredAt} />
        </small>
      )}
    </p>
  )
}

/** Says how long ago the oldest of the values was entered. */
function ByHand({ at }: { at: number }) {
  const nowMs = useServerNow(1000)
  return timingText.byHandShort(ageText(nowMs - at))
}

interface GapProps {
  car: GlassCar
  sign: GapSign
  /** In place of the number of a car that is not known, and beside that of a faster class. */
  word: string
  /** For screen readers. */
  text: (number: string) => string
  isFaster?: boolean
}

function Gap({ car: { number, gap }, sign, word, text, isFaster = false }: GapProps) {
  return (
    <>
      <b>{gap ? gapOnGlass(gap, sign) : timingText.noGap}</b>
      <small>
        <span className={typography.hidden}>{number === null ? word : text(number)}</span>
        {number !== null && (
          <span className={styles.number} aria-hidden>
            {number}
          </span>
        )}
        {(number === null || isFaster) && (
          <span className={isFaster ? undefined : styles.unknown} aria-hidden>
            {word}
          </span>
        )}
      </small>
    </>
  )
}

/** Formats a gap for the driver: in whole seconds from a minute on, because tenths have no room. */
function gapOnGlass(gap: NonNullable<GlassCar['gap']>, sign: GapSign): string {
  const isLong = gap.laps === 0 && gap.ms >= 60_000
  return isLong ? sign + minutesAndSeconds(Math.round(gap.ms / 1000)) : gapText(gap, sign)
}
