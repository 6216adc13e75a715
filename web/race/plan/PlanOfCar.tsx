import type { ComponentProps } from 'react'
import type { Race } from '#contract/races.ts'
import type { Car } from '#contract/roster.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { planText } from '#web/text/plan.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { CarPlanView } from './CarPlanView.tsx'
import styles from './RaceScreen.module.css'
import type { KnownCar } from './useRaceOfCar.ts'

interface Props {
  raceId: string
  /** Undefined before it is saved. */
  race: Race | undefined
  cars: readonly Car[]
  /** The car whose plan is shown; null in a race without cars. */
  carId: string | null
  /** The race of that car; undefined while `query` loads it. */
  carRace: CarRace | undefined
  query: ComponentProps<typeof NotLoaded>['query']
  /** The newest session of that car; null before one has joined. */
  sessionId: string | null
  /** All cars of a race that is not over. */
  all: readonly KnownCar[]
  mayChange: boolean
  onChoose: (carId: string) => void
}

/** The plan of one car of the race, and the choice of the car. */
export function PlanOfCar(props: Props) {
  const { raceId, race, cars, carId, carRace, query, sessionId, all, mayChange, onChoose } = props
  const hasStarted = race?.startedAt != null
  const isOver = race != null && race.endedAt !== null
  const others = hasStarted
    ? []
    : all.flatMap(({ car, race }) => (car.id === carId ? [] : [{ carId: car.id, race }]))
  return (
    <section className={styles.plan} aria-labelledby="plan">
      <div className={styles.planHead}>
        <h2 id="plan" className={typography.h2}>
          {isOver ? planText.history : hasStarted ? planText.historyAndPlan : planText.page}
        </h2>
        <CarChoice cars={cars} carId={carId} onChoose={onChoose} />
      </div>
      {!mayChange && <p className={typography.sub}>{planText.viewOnly}</p>}
      {carRace ? (
        <CarPlanView
          key={carId}
          race={carRace}
          {...{ raceId, carId, sessionId, mayChange, others }}
        />
      ) : race ? (
        <NotLoaded query={query} loading={planText.loading} failed={planText.failed} />
      ) : (
        <NothingAnswered />
      )}
    </section>
  )
}

/** The cars of the race: the plan of one of them is shown. */
function CarChoice({ cars, carId, onChoose }: Pick<Props, 'cars' | 'carId' | 'onChoose'>) {
  const [first] = cars
  if (cars.length < 2) return first && <CarPlate number={first.number} />
  return (
    <fieldset className={styles.cars} aria-label={planText.carChoice}>
      {cars.map(({ id, number }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === carId}
          aria-label={planText.carNumber(number)}
          onClick={() => onChoose(id)}
        >
          {number}
        </button>
      ))}
    </fieldset>
  )
}

function NothingAnswered() {
  return (
    <p className={typography.sub}>
      <strong className={typography.strong}>{planText.none}</strong> {planText.lengthMissing}
    </p>
  )
}
