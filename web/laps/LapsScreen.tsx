import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CirclePlay, RefreshCw, SlidersHorizontal } from 'lucide-react'
import { useParams } from 'react-router'
import type { LapTable } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import { command } from '#web/api/call.ts'
import { sessionQuery } from '#web/api/queries.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { driverAt } from '#web/race/driverAt.ts'
import { driverName, isUnnamed } from '#web/race/driverName.ts'
import { GlassSetting } from '#web/race/GlassSetting.tsx'
import { usualPlusMinusMs } from '#web/race/lapFigures.ts'
import { SessionBack } from '#web/race/SessionBack.tsx'
import { SwitchDataLink } from '#web/race/SwitchDataLink.tsx'
import { lapsQuery } from '#web/race/useLaps.ts'
import { useStoredCarRace } from '#web/race/useStoredCarRace.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { lapsText } from '#web/text/laps.ts'
import { BarLink } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Skeleton, SkeletonRows } from '#web/ui/Skeleton.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { showLinked } from '#web/ui/showLinked.ts'
import typography from '#web/ui/theme/typography.module.css'
import { useCameFrom } from '#web/ui/useCameFrom.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { LapReferenceSetting } from './LapReferenceSetting.tsx'
import styles from './LapsScreen.module.css'
import { LapsView } from './LapsView.tsx'
import { LapTimingSetting } from './LapTimingSetting.tsx'
import { type LapsOfCar, useCarLaps } from './useCarLaps.ts'

/** All laps of the car of a session, and whether they are timed. */
export function LapsScreen() {
  const { teamId = '', sessionId = '' } = useParams()
  const live = useLiveSession(sessionId, state => state.session)
  const asked = useQuery(sessionQuery(sessionId))
  const session = live ?? asked.data
  const car = useCarLaps(sessionId)
  const viewer = useIsViewer(teamId)
  const cameFrom = useCameFrom()
  const { race, table } = car
  return (
    <SubPage
      page={lapsText.page}
      sub={
        (race ?? car.error) ? (
          session && headOf(session, table, race)
        ) : (
          <Skeleton widthPx={220} heightPx={14} />
        )
      }
      {...(session?.status === 'Complete'
        ? { backTo: `/teams/${teamId}`, back: lapsText.toTeam }
        : {
            backTo: `/teams/${teamId}/${sessionId}/message`,
            back: session ? <SessionBack session={session} /> : lapsText.back,
          })}
      {...cameFrom}
      lead=""
      bar={
        <>
          <BarLink to={`/teams/${teamId}/${sessionId}/laps/replay`}>
            <CirclePlay aria-hidden />
            {lapsText.replay}
          </BarLink>
          <ExportMenu sessionId={sessionId} />
        </>
      }
      wide
    >
      <Stack>
        {table?.stopped && (
          <TimingStopped sessionId={car.phone} stop={table.stopped} mayTimeAgain={!viewer} />
        )}
        {race && table ? (
          <Laps table={table} race={race} session={session} mayMark={!viewer} />
        ) : (
          <NotLoaded query={car} loading={lapsText.loading} failed={lapsText.failed} />
        )}
        {session && ((race && table) || car.error) && (
          <nav className={styles.foot}>
            <RaceLink teamId={teamId} sessionId={sessionId} />
            <LinkButton variant="quiet" to={`/teams/${teamId}/${sessionId}/laps/stints`}>
              {lapsText.stints}
            </LinkButton>
          </nav>
        )}
        {session && race && table && !viewer && (
          <details className={styles.settings}>
            <summary>
              <SlidersHorizontal size={22} aria-hidden />
              {session.car ? lapsText.settingsOf(session.car.number) : lapsText.settings}
            </summary>
            <Stack>
              {session.lapTiming && session.status === 'Active' && (
                <LapReferenceSetting key={session.targetLapMs} session={session} />
              )}
              <LapTimingSetting session={session} hasLaps={race.laps.length > 0} />
              {session.status === 'Active' && race.race && (
                <GlassSetting sessionId={session.id} race={race} />
              )}
              {session.status === 'Active' && <DataLinkSetting session={session} />}
            </Stack>
          </details>
        )}
      </Stack>
    </SubPage>
  )
}

interface LapsProps {
  table: LapTable
  session: Session | undefined
  race: LapsOfCar
  mayMark: boolean
}

function Laps({ table, session, race, mayMark }: LapsProps) {
  const { lapTiming, pending, stopped, gpsPoor } = table
  const isEmpty = race.laps.length === 0
  if (!lapTiming) return <Empty title={lapsText.off}>{lapsText.offText}</Empty>
  if (isEmpty && pending)
    return (
      <>
        <p className={typography.sub}>{lapsText.computingText}</p>
        <SkeletonRows label={lapsText.computing} />
      </>
    )
  if (isEmpty && stopped) return null
  if (isEmpty) {
    const hasEnded = session?.status === 'Complete'
    return (
      <Empty title={hasEnded ? lapsText.noneDriven : lapsText.none}>
        {hasEnded ? lapsText.noneDrivenText : lapsText.noneText}
      </Empty>
    )
  }
  if (!session) return <SkeletonRows label={lapsText.loading} />
  return <LapsView session={session} race={race} gpsPoor={gpsPoor} mayMark={mayMark} />
}

/** Describes the session, its circuit, and how exact its times are. */
function headOf(
  session: Session,
  table: LapTable | undefined,
  race: LapsOfCar | undefined,
): string {
  const parts = [whose(session, race)]
  if (table?.circuit) {
    const { name: circuit, lengthM } = table.circuit
    parts.push(
      circuit === null
        ? lapsText.learnedCircuit(kilometres.format(lengthM / 1000))
        : lapsText.circuit(circuit),
    )
  }
  const plusMinusMs = race && usualPlusMinusMs(race.laps)
  if (table?.gpsPoor) parts.push(lapsText.poor)
  else if (plusMinusMs) {
    const { accuracy, accuracyOfImport } = lapsText
    parts.push((session.imported ? accuracyOfImport : accuracy)(tenthsText(plusMinusMs)))
  }
  return parts.join(' ')
}

/** Names the car in its race with all its drivers; without a race the session. */
function whose(session: Session, carRace: LapsOfCar | undefined): string {
  if (!carRace?.car || !carRace.race) return lapsText.session(session.name, driverName(session))
  const drivers = [...new Set(carRace.stints.map(({ from }) => driverAt(carRace, from)))]
  const named = drivers.filter(name => !isUnnamed(name))
  const names = (named.length > 0 ? named : drivers).join(', ')
  return lapsText.car(carRace.car.number, carRace.race.name, names)
}

/** Formats seconds with one decimal, at least 0.1. */
function tenthsText(ms: number): string {
  return (Math.max(1, Math.round(ms / 100)) / 10).toFixed(1)
}

const kilometres = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Opens the race of the car, or without one the races of the team. */
function RaceLink({ teamId, sessionId }: { teamId: string; sessionId: string }) {
  const { data } = useStoredCarRace(sessionId)
  const racePath = data?.race ? `/${data.race.id}${data.car ? `?car=${data.car.id}` : ''}` : ''
  return (
    <LinkButton variant="quiet" to={`/teams/${teamId}/races${racePath}`}>
      {lapsText.race}
    </LinkButton>
  )
}

/** The data link of an active session, and its switch. The sheet More links to it. */
function DataLinkSetting({ session }: { session: Session }) {
  const { dataLink } = session
  return (
    <section id="data-link" ref={showLinked}>
      <h2 className={typography.h2}>{dataLinkText.title}</h2>
      <p className={typography.sub}>{dataLink ? dataLinkText.isOn : dataLinkText.team}</p>
      <SwitchDataLink session={session}>
        {onClick => (
          <Button variant="quiet" narrow onClick={onClick}>
            {dataLink ? dataLinkText.off : dataLinkText.on}
          </Button>
        )}
      </SwitchDataLink>
    </section>
  )
}

interface Props {
  sessionId: string
  stop: LapTimingStop
  /** False for viewers. */
  mayTimeAgain: boolean
}

/** Shows why no further laps of a session are timed, and times them again. */
function TimingStopped({ sessionId, stop, mayTimeAgain }: Props) {
  const client = useQueryClient()
  const again = useCommand({
    failed: lapsText.notTimedAgain,
    send: () => command('laps.timeAgain', { sessionId }),
    onSuccess: () => client.invalidateQueries({ queryKey: lapsQuery(sessionId).queryKey }),
  })
  return (
    <div className={styles.stopped}>
      <output className={styles.stopReason}>
        <CircleAlert aria-hidden />
        {lapsText.timingStopped(stop)}
      </output>
      <p className={typography.sub}>{lapsText.timingStoppedText}</p>
      {mayTimeAgain && (
        <Button variant="quiet" narrow busy={again.isPending} onClick={() => again.mutate()}>
          {!again.isPending && <RefreshCw size={22} aria-hidden />}
          {lapsText.timeAgain}
        </Button>
      )}
    </div>
  )
}
