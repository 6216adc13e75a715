import { useState } from 'react'
import type { Car } from '#contract/roster.ts'
import { timingText } from '#web/text/timing.ts'
import { ageText } from '#web/ui/ages.ts'
import { Button } from '#web/ui/Button.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { gapText } from './figures.ts'
import { HandSheet } from './HandSheet.tsx'
import { shownPlace } from './OfficialPlace.tsx'
import styles from './OurCars.module.css'
import type { Neighbour, OfficialPlace } from './placeOf.ts'
import type { OfficialState } from './useOfficialTiming.ts'

interface Props {
  raceId: string
  cars: readonly Car[]
  state: OfficialState
  /** False for viewers. */
  mayEnter: boolean
}

/** The team's cars: their places overall and in the class, with the gaps to the cars ahead and behind. */
export function OurCars({ raceId, cars, state, mayEnter }: Props) {
  const [entering, setEntering] = useState<Car | null>(null)
  if (cars.length === 0) return null
  return (
    <section>
      <h2 className={typography.h2}>{timingText.ourCars}</h2>
      <ul className={styles.cars}>
        {cars.map(car => {
          const place = shownPlace(state, car.number)
          return (
            <li key={car.id}>
              <CarPlate number={car.number} size="row" />
              <b className={styles.place} aria-label={place ? undefined : timingText.placeUnknown}>
                {place ? `P${place.position}` : timingText.noPlace}
              </b>
              <div className={styles.gaps}>
                {place ? <Gaps place={place} lateMs={state.lateMs} /> : timingText.placeUnknown}
              </div>
              {mayEnter && (
                <Button
                  variant="quiet"
                  aria-label={timingText.enterOf(car.number)}
                  onClick={() => setEntering(car)}
                >
                  {timingText.enter}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {entering && (
        <HandSheet
          raceId={raceId}
          car={entering}
          field="position"
          onClose={() => setEntering(null)}
        />
      )}
    </section>
  )
}

function Gaps({ place, lateMs }: { place: OfficialPlace; lateMs: number }) {
  const { ahead, behind, className, classPosition, classAhead, classBehind, laps, entered } = place
  const { lapsEnteredAgoMs = 0 } = place
  if (entered)
    return (
      <>
        <span>
          {ahead?.gap ? `${gapText(ahead.gap)} ${timingText.toNext}` : timingText.gapUnknown}
          {laps !== null && `, ${timingText.onLap(laps, ageText(lapsEnteredAgoMs + lateMs))}`}
        </span>
        <small>{timingText.byHandAge(ageText(entered.agoMs + lateMs))}</small>
      </>
    )
  return (
    <>
      <span>{neighbours(ahead, behind)}</span>
      {className !== null && classPosition !== null && (
        <small>
          {className} {classPosition}: {neighbours(classAhead, classBehind)}
        </small>
      )}
    </>
  )
}

/** The gaps to the cars ahead and behind: `+12.4 to 9, −3.8 from 77`. */
function neighbours(ahead: Neighbour | null, behind: Neighbour | null): string {
  const to = ahead && `${gapText(ahead.gap)} ${timingText.gapTo(ahead.number ?? '?')}`
  const from =
    behind && `${gapText(behind.gap, '\u2212')} ${timingText.gapFrom(behind.number ?? '?')}`
  return [to ?? timingText.leads, from].filter(Boolean).join(', ')
}
