import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Stint } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { stintNumbers } from '#racing/race/carStints.ts'
import { isUnconfirmed } from '#racing/race/driverQuestion.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { carPhonesText } from '#web/text/carPhones.ts'
import { stintsText as text } from '#web/text/stints.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { lastWord, stintDriverName } from './driverName.ts'
import { StintDialog } from './StintDialog.tsx'
import styles from './StintsScreen.module.css'
import type { CarRace } from './shownCarRace.ts'
import { inTwoCars, removedStint } from './stintEdits.ts'
import { stintName } from './stintName.ts'
import { timeOfDay } from './timeOfDay.ts'
import { useCarRace } from './useCarRace.ts'
import { useEditStints } from './useEditStints.tsx'
import { useServerNow } from './useServerNow.ts'

/** How often the running stint's length is rendered. */
const tickMs = 10_000

/** The stints of a car. Members correct them, also after its end. */
export function StintsScreen() {
  const { teamId = '', sessionId = '' } = useParams()
  const live = useLiveSession(sessionId, state => state.session)
  const asked = useQuery(sessionQuery(sessionId))
  const session = live ?? asked.data
  const carRace = useCarRace(sessionId)
  const viewer = useIsViewer(teamId)
  const failed = [carRace.race ? null : carRace, session ? null : asked].find(each => each?.error)
  return (
    <SubPage
      page={text.page}
      sub={session?.name}
      backTo={`/teams/${teamId}/${sessionId}/laps`}
      back={text.back}
      lead=""
    >
      <Stack>
        {carRace.race && session ? (
          <Stints teamId={teamId} session={session} race={carRace.race} mayEdit={!viewer} />
        ) : (
          <NotLoaded query={failed ?? asked} loading={text.loading} failed={text.failed} />
        )}
      </Stack>
    </SubPage>
  )
}

interface StintsProps {
  teamId: string
  session: Session
  race: CarRace
  mayEdit: boolean
}

function Stints({ teamId, session, race, mayEdit }: StintsProps) {
  const now = useServerNow(tickMs)
  const edit = useEditStints(session)
  const [edited, setEdited] = useState<Stint | 'new' | null>(null)
  const { stints } = race
  const numbers = stintNumbers(race, now)
  const end = stints.at(-1)?.to ?? now
  const nameOf = (stint: Stint) => stintDriverName(stint, race)
  const open = (stint: Stint | 'new') => {
    // The dialog shows no error of an earlier edit.
    edit.reset()
    setEdited(stint)
  }
  const remove = (stint: Stint) => {
    // A second edit would replace the result of the first one.
    if (edit.isPending) return
    const removed = removedStint(stints, stint.id, () => crypto.randomUUID())
    const before = stints[stint.number - 2]
    if (removed && before) edit.remove(removed, nameOf(before))
  }
  return (
    <>
      <p className={typography.sub}>{mayEdit ? text.hint : text.viewOnly}</p>
      <Warnings race={race} nowMs={now} />
      <section aria-labelledby="stints">
        <SectionHead id="stints" title={text.list} />
        <Rows labelledBy="stints">
          {stints.toReversed().map(stint => (
            <StintRow
              key={stint.id}
              {...{ stint, numbers, end, mayEdit }}
              isUnconfirmed={stint === stints.at(-1) && isUnconfirmed(race)}
              driver={nameOf(stint)}
              onEdit={() => open(stint)}
              onRemove={() => remove(stint)}
            />
          ))}
        </Rows>
      </section>
      {mayEdit && (
        <Button variant="quiet" onClick={() => open('new')}>
          <Plus size={22} aria-hidden />
          {text.add}
        </Button>
      )}
      {race.race && race.car && (
        <LinkButton
          variant="quiet"
          to={`/teams/${teamId}/races/${race.race.id}?car=${race.car.id}#phones`}
        >
          {carPhonesText.which}
        </LinkButton>
      )}
      {mayEdit && race.drivers.length === 0 && (
        <>
          <p className={typography.sub}>{text.noDrivers}</p>
          <LinkButton variant="quiet" narrow to={`/teams/${teamId}/cars`}>
            {text.drivers}
          </LinkButton>
        </>
      )}
      {edited && (
        <StintDialog
          // Another stint starts with empty fields.
          key={edited === 'new' ? 'new' : edited.id}
          session={session}
          race={race}
          stint={edited === 'new' ? null : edited}
          edit={edit}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

interface RowProps {
  stint: Stint
  driver: string
  /** The numbers of the stints in the race. */
  numbers: ReadonlyMap<string, number>
  /** The end of a stint that is being driven. */
  end: number
  mayEdit: boolean
  /** True until a member answers whether the planned driver took over. */
  isUnconfirmed: boolean
  onEdit: () => void
  onRemove: () => void
}

function StintRow(props: RowProps) {
  const { stint, driver, numbers, end, mayEdit, onEdit, onRemove } = props
  const name = stintName(stint, numbers)
  const title = numbers.has(stint.id) ? text.stint(name) : text.notInRace
  return (
    <Row
      plate={<ThreeLetterPlate name={lastWord(driver)} quiet={stint.to !== null} />}
      title={driver}
      detail={[
        title,
        timesOf(stint, end),
        ...(props.isUnconfirmed ? [text.notConfirmed] : []),
      ].join(' · ')}
      choices={
        mayEdit && (
          <span className={styles.actions}>
            <IconButton
              label={text.edit(name)}
              icon={<Pencil size={22} aria-hidden />}
              onPress={onEdit}
            />
            {stint.number > 1 && (
              <IconButton
                label={text.remove(name)}
                icon={<Trash2 size={22} aria-hidden />}
                onPress={onRemove}
              />
            )}
          </span>
        )
      }
    />
  )
}

function timesOf({ from, to }: Stint, end: number): string {
  const minutes = wholeNumber(Math.max(0, Math.floor(((to ?? end) - from) / 60_000)))
  return text.times(timeOfDay(from), to === null ? text.now : timeOfDay(to), minutes)
}

/** Drivers who are in two cars at once. */
function Warnings({ race, nowMs }: { race: CarRace; nowMs: number }) {
  const found = inTwoCars(race, nowMs)
  if (found.length === 0) return null
  return (
    <section className={styles.warnings} aria-label={text.warnings}>
      {found.map(({ driverId, sessionId, from, to }) => (
        <p key={`${driverId}${from}`}>
          <TriangleAlert size={22} aria-hidden />
          {text.inTwoCars(
            stintDriverName({ driverId, sessionId }, race),
            timeOfDay(from),
            timeOfDay(to),
          )}
        </p>
      ))}
    </section>
  )
}
