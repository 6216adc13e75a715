import type { Roster } from '#contract/roster.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { lastWord } from '#web/race/driverName.ts'
import { rosterText } from '#web/text/roster.ts'
import { Button } from '#web/ui/Button.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { useSaveCar, useSaveDriver } from './useSaveRoster.ts'

interface Props {
  teamId: string
  roster: Roster
  mayRestore: boolean
}

/** Cars and drivers that were removed and that sessions still name. Renders nothing without any. */
export function ArchivedRows({ teamId, roster, mayRestore }: Props) {
  const saveCar = useSaveCar(teamId)
  const saveDriver = useSaveDriver(teamId)
  const toasts = useToasts()
  const onError = (reason: unknown) =>
    toasts.error(rosterText.notSaved, refusalText(reason), 'roster')
  const cars = roster.cars.filter(({ archived }) => archived)
  const drivers = roster.drivers.filter(({ archived }) => archived)
  if (cars.length + drivers.length === 0) return null
  const restore = (name: string, busy: boolean, onRestore: () => void) =>
    mayRestore && (
      <Button
        variant="quiet"
        narrow
        busy={busy}
        aria-label={rosterText.restoreNamed(name)}
        onClick={onRestore}
      >
        {rosterText.restore}
      </Button>
    )
  return (
    <section aria-labelledby="archived">
      <SectionHead id="archived" title={rosterText.archived} />
      <Rows labelledBy="archived">
        {cars.map(car => (
          <Row
            key={car.id}
            plate={<CarPlate number={car.number} outlined size="row" />}
            title={car.name ?? rosterText.car(car.number)}
            action={restore(rosterText.car(car.number), saveCar.isPending, () =>
              saveCar.mutate(car, { onError }),
            )}
          />
        ))}
        {drivers.map(driver => (
          <Row
            key={driver.id}
            plate={<ThreeLetterPlate name={lastWord(driver.name)} quiet />}
            title={driver.name}
            action={restore(driver.name, saveDriver.isPending, () =>
              saveDriver.mutate(driver, { onError }),
            )}
          />
        ))}
      </Rows>
    </section>
  )
}
