import { useQuery } from '@tanstack/react-query'
import { Plus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Car, Roster, RosterDriver } from '#contract/roster.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { Member } from '#contract/teams.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { membersQuery } from '#web/api/teamQueries.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { personName } from '#web/race/driverName.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { useLiveSessions } from '#web/race/useLiveSessions.ts'
import { rosterText } from '#web/text/roster.ts'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { Field } from '#web/ui/Field.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { required } from '#web/ui/required.ts'
import { SaveDialog, useSaveForm } from '#web/ui/SaveDialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import { ArchivedRows } from './ArchivedRows.tsx'
import { CarDialog } from './CarDialog.tsx'
import { CarRows } from './CarRows.tsx'
import { DriverRows } from './DriverRows.tsx'
import styles from './Roster.module.css'
import { useDriven } from './useDriven.ts'
import { useSaveDriver } from './useSaveRoster.ts'

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
      <div className={styles.columns}>
        {viewer && <p className={styles.whole}>{rosterText.viewOnly}</p>}
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

interface Props {
  teamId: string
  /** The edited driver; null adds one. */
  driver: RosterDriver | null
  onClose: () => void
}

/** The dialog to add or edit a driver. */
function DriverDialog({ teamId, driver, onClose }: Props) {
  // Made once: a repeated press saves the same driver.
  const [id] = useState(() => driver?.id ?? crypto.randomUUID())
  const { data: members = [] } = useQuery(membersQuery(teamId))
  const save = useSaveDriver(teamId)
  const { register, errors, form, setValue, getValues } = useSaveForm({
    defaultValues: { name: driver?.name ?? '', userId: driver?.userId ?? '' },
    send: ({ name, userId }) => save.mutateAsync({ id, name, userId: userId || null }),
    onSaved: onClose,
  })
  // Typing a member's name again would be a waste.
  const fillName = (userId: string) => {
    const member = members.find(each => each.id === userId)
    if (member && getValues('name').trim() === '')
      setValue('name', personName(member), { shouldValidate: true })
  }
  return (
    <SaveDialog
      title={driver ? rosterText.editDriver : rosterText.addDriver}
      form={form}
      onClose={onClose}
    >
      <Field
        {...register('name', required(rosterText.driverNameMissing))}
        label={rosterText.driverName}
        error={errors.name?.message}
        maxLength={maxNameLetters}
      />
      <SelectField
        {...register('userId', { onChange: event => fillName(event.target.value) })}
        label={rosterText.member}
      >
        <option value="">{rosterText.noMember}</option>
        {linkable(members, driver).map(({ id: memberId, label }) => (
          <option key={memberId} value={memberId}>
            {label}
          </option>
        ))}
      </SelectField>
    </SaveDialog>
  )
}

/** The team's members, and the person linked so far, who may have left: the browser would select another option. */
function linkable(members: readonly Member[], driver: RosterDriver | null) {
  const options = members.map(member => ({ id: member.id, label: personName(member) }))
  const linked = driver?.userId
  const isListed = !linked || members.some(({ id }) => id === linked)
  return isListed ? options : [...options, { id: linked, label: rosterText.formerMember }]
}
