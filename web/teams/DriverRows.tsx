import type { RosterDriver } from '#contract/roster.ts'
import { stintTimes } from '#racing/race/carStints.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { lastWord } from '#web/race/driverName.ts'
import { rosterText } from '#web/text/roster.ts'
import { counterText } from '#web/ui/ages.ts'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './Roster.module.css'
import { RosterMenu } from './RosterMenu.tsx'
import { currentStint, type DrivenCar, drivenInMs } from './useDriven.ts'
import { usePhotos } from './usePhotos.ts'
import { useRemoveDriver } from './useSaveRoster.ts'

interface Props {
  teamId: string
  drivers: readonly RosterDriver[]
  driven: readonly DrivenCar[]
  mayEdit: boolean
  onEdit: (driver: RosterDriver) => void
}

/** The roster in the team's order, with each driver's time in the active sessions. */
export function DriverRows({ teamId, drivers, driven, mayEdit, onEdit }: Props) {
  const serverNow = useServerClock()
  useSecond()
  const photoOf = usePhotos(teamId)
  const remove = useRemoveDriver(teamId)
  const ids = drivers.map(({ id }) => id)
  const now = serverNow()
  return (
    <Rows labelledBy="drivers">
      {drivers.map(driver => {
        const current = currentStint(driven, driver.id)
        const minutes = Math.floor(drivenInMs(driven, driver.id, now) / 60_000)
        return (
          <Row
            key={driver.id}
            plate={
              <ThreeLetterPlate
                name={lastWord(driver.name)}
                quiet={!current}
                picture={photoOf(driver.userId)}
              />
            }
            title={driver.name}
            detail={current ? stintText(current, now) : rosterText.notDriving}
            {...((current || minutes > 0) && { figures: <Minutes minutes={minutes} /> })}
            action={
              mayEdit && (
                <RosterMenu
                  teamId={teamId}
                  what="drivers"
                  ids={ids}
                  id={driver.id}
                  name={driver.name}
                  onEdit={() => onEdit(driver)}
                  onRemove={() => remove(driver.id)}
                />
              )
            }
          />
        )
      })}
    </Rows>
  )
}

function Minutes({ minutes }: { minutes: number }) {
  return (
    <span className={styles.minutes}>
      {rosterText.minutes(wholeNumber(minutes))}
      <small>{rosterText.driven}</small>
    </span>
  )
}

function stintText(
  { stint, race }: NonNullable<ReturnType<typeof currentStint>>,
  now: number,
): string {
  const time = counterText(stintTimes(race, now).get(stint.id) ?? 0)
  return race.car ? rosterText.inStint(rosterText.car(race.car.number), time) : time
}
