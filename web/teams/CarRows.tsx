import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import type { Car } from '#contract/roster.ts'
import { DriverChangeButton } from '#web/race/DriverChangeButton.tsx'
import { driverName } from '#web/race/driverName.ts'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { sessionInCar } from '#web/race/shownCarRace.ts'
import { rosterText } from '#web/text/roster.ts'
import { Button } from '#web/ui/Button.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import styles from './Roster.module.css'
import { RosterMenu } from './RosterMenu.tsx'
import type { DrivenCar } from './useDriven.ts'
import { useRemoveCar } from './useSaveRoster.ts'

interface Props {
  teamId: string
  cars: readonly Car[]
  driven: readonly DrivenCar[]
  mayEdit: boolean
  onEdit: (car: Car) => void
}

/** The team's cars in its order, with their drivers and sessions. */
export function CarRows({ teamId, cars, driven, mayEdit, onEdit }: Props) {
  const remove = useRemoveCar(teamId)
  const ids = cars.map(({ id }) => id)
  return (
    <Rows labelledBy="cars">
      {cars.map(car => {
        const phones = driven.filter(({ session }) => session.car?.id === car.id)
        const own = phones.find(isInCar) ?? phones[0]
        return (
          <Row
            key={car.id}
            plate={<CarPlate number={car.number} outlined={!own} size="row" />}
            title={own ? driverName(own.session) : rosterText.noDriver}
            detail={<span className={styles.detail}>{detailOf(car, own?.session.name)}</span>}
            action={
              mayEdit && (
                <span className={styles.end}>
                  {own && <Change car={car} driven={own} />}
                  <RosterMenu
                    teamId={teamId}
                    what="cars"
                    ids={ids}
                    id={car.id}
                    name={rosterText.car(car.number)}
                    onEdit={() => onEdit(car)}
                    onRemove={() => remove(car.id)}
                  />
                </span>
              )
            }
          />
        )
      })}
    </Rows>
  )
}

function isInCar({ session, race }: DrivenCar): boolean {
  return race !== undefined && sessionInCar(race) === session.id
}

/** The first tap of a driver change, after which a stop asks for the fuel. */
function Change({ car, driven }: { car: Car; driven: DrivenCar }) {
  const [isRefuelling, setRefuelling] = useState(false)
  const { id } = driven.session
  return (
    <>
      <DriverChangeButton
        {...driven}
        onRefuel={() => setRefuelling(true)}
        renderButton={button => (
          <Button
            variant="quiet"
            narrow
            aria-label={rosterText.changeOf(rosterText.car(car.number))}
            {...button}
          >
            <ArrowLeftRight size={22} aria-hidden />
            <span className={styles.change}>{rosterText.change}</span>
          </Button>
        )}
      />
      {isRefuelling && <RefuelSheet sessionId={id} onClose={() => setRefuelling(false)} />}
    </>
  )
}

function detailOf(car: Car, session: string | undefined): string {
  const { name, carClass, tankL, reserveL, burnL } = car
  const tank = [
    tankL !== null && rosterText.litres(String(tankL)),
    reserveL !== null && rosterText.reserveOf(String(reserveL)),
    burnL !== null && rosterText.burnOf(String(burnL)),
  ]
  const parts = session === undefined ? [name, carClass, rosterText.notInSession] : [session]
  return [...parts, tank.filter(Boolean).join(', ')].filter(Boolean).join(' · ')
}
