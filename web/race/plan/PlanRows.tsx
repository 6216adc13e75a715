import { Plus } from 'lucide-react'
import type { PlanChange } from '#contract/races.ts'
import type { LaidStint } from '#racing/race/planTypes.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { DriverOrder } from './DriverOrder.tsx'
import styles from './Plan.module.css'
import {
  driverName,
  plateOf,
  problemsText,
  raceTime,
  type ShownPlan,
  wholeMinutes,
} from './planNames.ts'

/** Length of a stint that is added by hand. */
const addedMs = 30 * 60_000

interface Props extends ShownPlan {
  /** Null: the user can only watch. */
  onChange: ((change: PlanChange) => void) | null
}

/** The stints of a plan as rows. */
export function PlanRows({ onChange, ...shown }: Props) {
  const { race, plan, request } = shown
  const last = plan.stints.at(-1)
  const firstOpen = plan.stints.find(({ state }) => state !== 'driven')
  const isMoved = request.fixed.some(({ number }) => number >= (firstOpen?.number ?? 1))
  return (
    <section aria-labelledby="plan-stints">
      <SectionHead id="plan-stints" title={planText.stints} />
      <Rows labelledBy="plan-stints">
        {plan.stints.map(stint => (
          <Row
            key={stint.number}
            plate={<ThreeLetterPlate name={plateOf(shown, stint)} quiet={stint.state === 'next'} />}
            title={driverName(shown, stint)}
            detail={
              <>
                {detailOf(stint, raceTime(race, stint.fromMs))}
                {problemsText(plan.problems, stint.number).map(problem => (
                  <b key={problem} className={styles.problem}>
                    {problem}
                  </b>
                ))}
              </>
            }
            figures={planText.minutes(wholeMinutes(stint))}
            choices={
              onChange &&
              stint.state === 'next' && (
                <ChooseDriver stint={stint} race={race} request={request} onChange={onChange} />
              )
            }
          />
        ))}
      </Rows>
      {onChange && <DriverOrder race={race} request={request} onChange={onChange} />}
      {onChange && (
        <div className={styles.actions}>
          {last && (
            <Button
              variant="quiet"
              narrow
              onClick={() => {
                const number = last.number + 1
                const stint = { number, driverId: null, lengthMs: addedMs }
                onChange({ kind: 'stints', stints: [stint] })
              }}
            >
              <Plus size={20} aria-hidden />
              {planText.add}
            </Button>
          )}
          {isMoved && (
            <Button
              variant="quiet"
              narrow
              onClick={() => onChange({ kind: 'reset', from: firstOpen?.number ?? 1 })}
            >
              {planText.layOut}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

interface ChooseProps extends Pick<ShownPlan, 'race' | 'request'> {
  stint: LaidStint
  onChange: (change: PlanChange) => void
}

/** Sets who drives a planned stint. */
function ChooseDriver({ stint, race, request, onChange }: ChooseProps) {
  const { number } = stint
  const fixed = request.fixed.find(each => each.number === number)
  return (
    <select
      className={styles.driver}
      aria-label={planText.driverOf(String(number))}
      value={fixed?.driver ?? ''}
      onChange={({ target }) =>
        onChange({
          kind: 'stints',
          stints: [{ number, driverId: target.value || null, lengthMs: fixed?.lengthMs ?? null }],
        })
      }
    >
      <option value="">{planText.nextInOrder}</option>
      {race.drivers
        .filter(({ archived, id }) => !archived || id === fixed?.driver)
        .map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </select>
  )
}

function detailOf({ state, isFixed }: LaidStint, time: string): string {
  if (state === 'driven') return planText.done(time)
  const from = state === 'now' ? planText.inCar(time) : planText.from(time)
  return isFixed ? `${from}, ${planText.moved}` : from
}
