import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { CarPlan } from '#contract/races.ts'
import type { Car, RosterDriver } from '#contract/roster.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { carRaceKeys } from '#web/race/carRaceKeys.ts'
import { lastWord } from '#web/race/driverName.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { planText } from '#web/text/plan.ts'
import { Button } from '#web/ui/Button.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { threeLetters } from '#web/ui/threeLetters.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { carsOf } from './carsOf.ts'
import { DriverOrder } from './DriverOrder.tsx'
import type { Draft } from './draft.ts'
import { Question } from './Question.tsx'
import styles from './Questions.module.css'
import { raceOfCarQuery } from './raceOfCarQuery.ts'
import { sharedDrivers } from './sharedDrivers.ts'
import type { SaveRace } from './useSaveRace.ts'

interface Props {
  teamId: string
  /** Null before the race is saved. */
  raceId: string | null
  draft: Draft
  saving: SaveRace
  /** All cars of the team, in its order. */
  cars: readonly Car[]
  drivers: readonly RosterDriver[]
  /** The car whose plan is shown, and its race. */
  carId: string | null
  carRace: CarRace | undefined
  onChoose: (carId: string) => void
}

/** The third question about a race: its cars, and who drives them in which order. */
export function WhichCars(props: Props) {
  const { teamId, raceId, draft, saving, cars, drivers, carId, carRace, onChoose } = props
  const toasts = useToasts()
  const order = useOrder(raceId)
  const [isAdding, setAdding] = useState(false)
  const [editing, setEditing] = useState<string | null>(null)
  const named = carsOf(draft, cars)
  const able = drivers.filter(({ archived }) => !archived)
  const shown = named.find(({ id }) => id === editing)
  const plans = useQueries({
    queries: named.map(({ id }) => ({
      ...raceOfCarQuery(raceId ?? '', id),
      enabled: raceId !== null,
    })),
    combine: results => results.map(({ data }) => data?.plan ?? null),
  })
  // The next press changes the newest order, also before that is stored.
  const chosenOf = (carId: string, plan: CarPlan | null) =>
    order.pressed?.carId === carId ? order.pressed.driverIds : chosenDrivers(plan, able)
  const chosen = named.map(({ id, number }, index) => ({
    number,
    driverIds: chosenOf(id, plans[index] ?? null),
  }))
  return (
    <Question number={3} title={planText.whichCars}>
      {named.length === 0 && <p className={typography.sub}>{planText.noCars}</p>}
      <ul className={styles.carList}>
        {named.map((car, index) => (
          <CarRow
            key={car.id}
            car={car}
            chosen={chosen[index]?.driverIds ?? []}
            drivers={able}
            {...(raceId !== null && {
              onEdit: () => {
                onChoose(car.id)
                setEditing(car.id)
              },
            })}
          />
        ))}
      </ul>
      <output className={styles.shared}>
        {sharedDrivers(chosen).map(({ driverId, cars }) => (
          <span key={driverId}>
            <TriangleAlert size={20} aria-hidden />
            {planText.inSeveralCars(nameOf(driverId, able), cars)}
          </span>
        ))}
      </output>
      {cars.some(({ archived }) => !archived) ? (
        <Button variant="quiet" onClick={() => setAdding(true)}>
          <Plus size={22} aria-hidden />
          {planText.chooseCars}
        </Button>
      ) : (
        <LinkButton variant="quiet" to={`/teams/${teamId}/cars`}>
          {planText.roster}
        </LinkButton>
      )}
      <FormDialog open={isAdding} title={planText.cars} onClose={() => setAdding(false)}>
        <p className={typography.sub}>{planText.everyCar}</p>
        <div>
          {cars
            .filter(({ id, archived }) => !archived || draft.carIds.includes(id))
            .map(({ id, number, name }) => (
              <Checkbox
                key={id}
                label={[planText.carNumber(number), name].filter(Boolean).join(', ')}
                checked={draft.carIds.includes(id)}
                onChange={() => {
                  const was = draft.carIds
                  const to = was.includes(id) ? was.filter(each => each !== id) : [...was, id]
                  saving
                    .save({ to: { carIds: to }, was: { carIds: was } })
                    .catch((reason: unknown) =>
                      toasts.error(planText.saveFailed, refusalText(reason), 'plan'),
                    )
                }}
              />
            ))}
        </div>
        <LinkButton variant="quiet" to={`/teams/${teamId}/cars`}>
          {planText.roster}
        </LinkButton>
        <DialogChoices>
          <Button onClick={() => setAdding(false)}>{planText.finish}</Button>
        </DialogChoices>
      </FormDialog>
      {shown && shown.id === carId && (
        <FormDialog open title={planText.driversOf(shown.number)} onClose={() => setEditing(null)}>
          <DriverOrder
            drivers={able}
            chosen={orAll(chosenOf(shown.id, carRace?.plan ?? null), able)}
            onChange={driverIds => order.save({ carId: shown.id, driverIds })}
          />
          <LinkButton variant="quiet" to={`/teams/${teamId}/cars`}>
            {planText.roster}
          </LinkButton>
          <DialogChoices>
            <Button onClick={() => setEditing(null)}>{planText.finish}</Button>
          </DialogChoices>
        </FormDialog>
      )}
    </Question>
  )
}

interface CarOrder {
  carId: string
  driverIds: string[]
}

/** Sets the drivers of a car and their order. `pressed` is the newest order until it is stored. */
function useOrder(raceId: string | null) {
  const client = useQueryClient()
  const toasts = useToasts()
  // The mutation reports its variables only after the next press may have arrived.
  const [pressed, setPressed] = useState<CarOrder | null>(null)
  const { mutate } = useMutation({
    scope: { id: `plan:${raceId}` },
    mutationFn: ({ carId, driverIds }: CarOrder) =>
      command('races.changePlan', {
        raceId: raceId ?? '',
        carId,
        change: { kind: 'drivers', driverIds },
      }),
    onSuccess: (plan, { carId }) => {
      client.setQueryData(
        raceOfCarQuery(raceId ?? '', carId).queryKey,
        race => race && { ...race, plan },
      )
    },
    onError: reason => toasts.error(planText.saveFailed, refusalText(reason), 'plan'),
    onSettled: async (_plan, _error, order) => {
      for (const queryKey of carRaceKeys) await client.invalidateQueries({ queryKey })
      setPressed(newest => (newest === order ? null : newest))
    },
  })
  const save = (order: CarOrder) => {
    setPressed(order)
    mutate(order)
  }
  return { pressed, save }
}

interface RowProps {
  car: Car
  chosen: readonly string[]
  drivers: readonly RosterDriver[]
  /** Absent before the race is saved. */
  onEdit?: () => void
}

/** A car of the race, with its fuel and its drivers in their order. */
function CarRow({ car, chosen, drivers, onEdit }: RowProps) {
  const { number, tankL, burnL } = car
  return (
    <li>
      <CarPlate number={number} size="large" />
      <span>
        <small>{planText.tank(litres(tankL), litres(burnL))}</small>
        <Order ids={orAll(chosen, drivers)} drivers={drivers} />
      </span>
      {onEdit && (
        <button
          type="button"
          className={styles.link}
          aria-label={planText.editCar(number)}
          onClick={onEdit}
        >
          {planText.edit}
        </button>
      )}
    </li>
  )
}

/** Returns the drivers of a plan who can drive. */
function chosenDrivers(plan: CarPlan | null, drivers: readonly RosterDriver[]): string[] {
  return plan?.driverIds.filter(id => drivers.some(driver => driver.id === id)) ?? []
}

/** Without a choice all drivers drive a car. */
function orAll(chosen: readonly string[], drivers: readonly RosterDriver[]): readonly string[] {
  return chosen.length > 0 ? chosen : drivers.map(({ id }) => id)
}

function nameOf(id: string, drivers: readonly RosterDriver[]): string {
  return drivers.find(each => each.id === id)?.name ?? ''
}

/** The drivers of a car in the order in which they drive. */
function Order({ ids, drivers }: { ids: readonly string[]; drivers: readonly RosterDriver[] }) {
  return (
    <ol className={styles.order}>
      {ids.map(id => {
        const name = nameOf(id, drivers)
        return (
          <li key={id}>
            <span aria-hidden>{threeLetters(lastWord(name))}</span>
            <span className={typography.hidden}>{name}</span>
          </li>
        )
      })}
    </ol>
  )
}

function litres(value: number | null): string | null {
  return value === null ? null : String(value)
}
