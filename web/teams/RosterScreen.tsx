import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Car, Roster, RosterDriver } from '#contract/roster.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { rosterText } from '#web/text/roster.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { ArchivedRows } from './ArchivedRows.tsx'
import { CarDialog } from './CarDialog.tsx'
import { CarRows } from './CarRows.tsx'
import { DriverDialog } from './DriverDialog.tsx'
import { DriverRows } from './DriverRows.tsx'
import styles from './Roster.module.css'
import { useDriven } from './useDriven.ts'
import { useLiveSessions } from './useLiveSessions.ts'

/** The cars of a team with their drivers, and its roster of drivers. */
export function RosterScreen() {
  const { teamId = '' } = useParams()
  const roster = useRoster(teamId)
  return (
    <TeamPage page={rosterText.page} wide>
      {roster.data ? (
        <Lists teamId={teamId} roster={roster.data} />
      ) : (
        <NotLoaded query={roster} loading={rosterText.loading} failed={rosterText.failed} />
      )}
    </TeamPage>
  )
}

/** The car or driver in the open dialog: null adds one. */
type Edited = { car: Car | null } | { driver: RosterDriver | null }

function Lists({ teamId, roster }: { teamId: string; roster: Roster }) {
  const viewer = useIsViewer(teamId)
  const [edited, setEdited] = useState<Edited | null>(null)
  useLiveSessions(teamId)
  const driven = useDriven(teamId)
  const cars = roster.cars.filter(({ archived }) => !archived)
  const drivers = roster.drivers.filter(({ archived }) => !archived)
  const close = () => setEdited(null)
  return (
    <>
      {viewer && <p>{rosterText.viewOnly}</p>}
      <div className={styles.columns}>
        <section aria-labelledby="cars">
          <SectionHead id="cars" title={rosterText.cars} />
          {cars.length === 0 ? (
            <Empty title={rosterText.noCars}>{rosterText.noCarsText}</Empty>
          ) : (
            <CarRows
              teamId={teamId}
              cars={cars}
              driven={driven}
              mayEdit={!viewer}
              onEdit={car => setEdited({ car })}
            />
          )}
          {!viewer && (
            <div className={styles.add}>
              <Button variant="quiet" narrow onClick={() => setEdited({ car: null })}>
                <Plus size={22} aria-hidden />
                {rosterText.addCar}
              </Button>
            </div>
          )}
        </section>
        <section aria-labelledby="drivers">
          <SectionHead id="drivers" title={rosterText.drivers} />
          {drivers.length === 0 ? (
            <Empty title={rosterText.noDrivers}>{rosterText.noDriversText}</Empty>
          ) : (
            <DriverRows
              teamId={teamId}
              drivers={drivers}
              driven={driven}
              mayEdit={!viewer}
              onEdit={driver => setEdited({ driver })}
            />
          )}
          {!viewer && (
            <div className={styles.add}>
              <Button variant="quiet" narrow onClick={() => setEdited({ driver: null })}>
                <UserPlus size={22} aria-hidden />
                {rosterText.addDriver}
              </Button>
            </div>
          )}
        </section>
        <ArchivedRows teamId={teamId} roster={roster} mayRestore={!viewer} />
      </div>
      {edited && 'car' in edited && <CarDialog teamId={teamId} {...edited} onClose={close} />}
      {edited && 'driver' in edited && <DriverDialog teamId={teamId} {...edited} onClose={close} />}
    </>
  )
}
