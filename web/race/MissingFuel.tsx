import { useState } from 'react'
import { refusalText } from '#web/api/refusalText.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Button } from '#web/ui/Button.tsx'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { FillForm } from './FillForm.tsx'
import type { CarRace } from './shownCarRace.ts'
import { useSaveEntry } from './useSaveEntry.ts'

interface Props {
  cars: readonly { readonly race: CarRace }[]
}

/** Asks for the fuel at the start of each car whose level nobody has entered. One tap enters a full tank. */
export function MissingFuel({ cars }: Props) {
  const missing = cars.flatMap(({ race }) => {
    const sessionId = race.phones.at(-1)?.sessionId
    return sessionId !== undefined && lacksLevel(race) ? [{ race, sessionId }] : []
  })
  if (missing.length === 0) return null
  return (
    <Rows label={fuelText.noLevel}>
      {missing.map(each => (
        <MissingRow key={each.sessionId} {...each} />
      ))}
    </Rows>
  )
}

/** Litres count only for a car whose tank or burn is known. */
function lacksLevel({ car, race, fills }: CarRace): boolean {
  const counts = car !== null && (car.tankL !== null || car.burnL !== null)
  return counts && race?.endedAt == null && fills.every(({ kind }) => kind === 'part')
}

function MissingRow({ race, sessionId }: { race: CarRace; sessionId: string }) {
  const [isOpen, setOpen] = useState(false)
  const saving = useSaveEntry({ sessionId, race, at: 0, onDone: () => setOpen(false) })
  const { number = '', tankL = null } = race.car ?? {}
  return (
    <>
      <Row
        plate={<CarPlate number={number} size="row" />}
        title={fuelText.noLevel}
        detail={
          saving.error ? (
            <DialogError>{refusalText(saving.error)}</DialogError>
          ) : (
            tankL !== null && fuelText.assumesFull(String(tankL))
          )
        }
        choices={
          <>
            <Button
              variant="quiet"
              aria-label={fuelText.otherLevel(number)}
              onClick={() => setOpen(true)}
            >
              {fuelText.other}
            </Button>
            {tankL !== null && (
              <Button
                busy={saving.isPending}
                aria-label={fuelText.fullLevel(number, String(tankL))}
                onClick={() => saving.saveStart(tankL, null)}
              >
                {fuelText.fullShort(fuelText.litres(String(tankL)))}
              </Button>
            )}
          </>
        }
      />
      {isOpen && (
        <FormDialog
          open
          title={fuelText.startQuestion}
          car={number}
          focusesSubmit
          onClose={() => setOpen(false)}
        >
          <FillForm
            {...{ sessionId, race }}
            entry={{ kind: 'start', was: null }}
            onDone={() => setOpen(false)}
            onCancel={() => setOpen(false)}
          />
        </FormDialog>
      )}
    </>
  )
}
