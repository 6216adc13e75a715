import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { mayEndAfterSilenceMs, silenceMs } from '#contract/shared/silence.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useMe } from '#web/api/login.ts'
import { teamQuery } from '#web/api/queries.ts'
import { activeSessionsQuery, membersQuery } from '#web/api/teamQueries.ts'
import { useAreSettled } from '#web/api/useAreSettled.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { inCarOrder } from '#web/race/carOrder.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import { driverAt } from '#web/race/driverAt.ts'
import { driverName } from '#web/race/driverName.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { runningRace, useRaces } from '#web/race/racesQuery.ts'
import { useRoster } from '#web/race/rosterQuery.ts'
import { type CarRace, sessionInCar } from '#web/race/shownCarRace.ts'
import { hasOpenProblem, useOpenProblem } from '#web/race/useOpenProblem.ts'
import { useStoredCarRaces } from '#web/race/useStoredCarRaces.ts'
import { answersText } from '#web/text/answers.ts'
import { carPhonesText } from '#web/text/carPhones.ts'
import { fuelText } from '#web/text/fuel.ts'
import { messageText } from '#web/text/message.ts'
import { teamsText } from '#web/text/teams.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Row, RowColumns, Rows, RowTable } from '#web/ui/Rows.tsx'
import { Tag } from '#web/ui/Tag.tsx'
import { Elapsed } from './Elapsed.tsx'
import { EndSession } from './EndSession.tsx'
import { PracticeCard, PracticeRow } from './PracticeCard.tsx'
import { usePracticeCar } from './practice/usePracticeCar.ts'
import { SessionPlate } from './SessionPlate.tsx'
import { usePhotos } from './usePhotos.ts'

const contactRefreshMs = 60_000

interface Props {
  teamId: string
  /** False until the board above has its height. */
  isBoardReady: boolean
}

/**
 * The team's active sessions and its practice car, each linked to its message screen. Those of cars are drawn once their
 * order is known, so that no row moves under a finger.
 */
export function ActiveSessions({ teamId, isBoardReady }: Props) {
  const query = useQuery({
    ...activeSessionsQuery(teamId),
    // The events of a team do not contain the time of the last contact.
    refetchInterval: contactRefreshMs,
  })
  const { data: sessions } = query
  const { data: races } = useRaces(teamId)
  const { inCar, over, racing, areKnown } = usePhonesInCars(
    sessions ?? [],
    runningRace(races) !== undefined,
  )
  const practice = usePracticeCar(teamId)
  const { id: me } = useMe()
  const viewer = useIsViewer(teamId)
  const photoOf = usePhotos(teamId)
  const roster = useRoster(teamId)
  const former = useFormerDrivers(teamId, sessions ?? [])
  const [isOrdered, setOrdered] = useState(false)
  if (sessions && !isOrdered) {
    const isKnown = isBoardReady && areKnown && !roster.isPending
    if (isKnown || !sessions.some(({ car }) => car)) setOrdered(true)
  }
  if (!sessions || !isOrdered)
    return (
      <NotLoaded
        query={query}
        loading={teamsText.loadingSessions}
        failed={teamsText.sessionsFailed}
        detailPx={130}
        figures
      />
    )
  // The phone in the car comes before the others of the car.
  const ordered = sessions.toSorted(
    (a, b) => Number(inCar.get(b.id) ?? false) - Number(inCar.get(a.id) ?? false),
  )
  if (sessions.length === 0 && !practice)
    return <NoSessions teamId={teamId} mayPractise={!viewer} />
  return (
    <RowTable>
      <Rows labelledBy="message">
        <RowColumns {...teamsText.columns} />
        {inCarOrder(ordered, roster.data?.cars ?? [], ({ car }) => car).map(session => (
          <SessionRow
            key={session.id}
            session={session}
            photoOf={photoOf}
            mayEnd={!viewer && session.driver.id !== me}
            hasLeft={former.has(session.driver.id)}
            racing={racing.get(session.id)}
            isInCar={inCar.get(session.id)}
            otherRace={
              over.has(session.id) ? runningRace(races, session.car?.id ?? null)?.name : undefined
            }
          />
        ))}
        {practice && <PracticeRow session={practice} />}
      </Rows>
    </RowTable>
  )
}

function NoSessions({ teamId, mayPractise }: { teamId: string; mayPractise: boolean }) {
  return (
    <>
      <Empty>
        <strong>{teamsText.noSessions}</strong> - {teamsText.noSessionsText}
      </Empty>
      {mayPractise && <PracticeCard teamId={teamId} />}
    </>
  )
}

/**
 * Returns whether the phone of a session is in the car, for the sessions of cars with several phones; and, while a race
 * runs, the sessions that are in one that is over, and the cars of those that are in it. `areKnown` is false until their
 * races have arrived or failed.
 */
function usePhonesInCars(sessions: readonly Session[], isRaceRunning: boolean) {
  const shared = sessions.filter(({ id, car }) =>
    sessions.some(each => car !== null && each.id !== id && each.car?.id === car.id),
  )
  const asked = isRaceRunning ? sessions : shared
  const races = useStoredCarRaces(asked)
  const areKnown = useAreSettled(asked.map(({ id }) => carRaceQuery(id)))
  const known = asked.flatMap((session, index) => {
    const race = races[index]
    return race ? [{ session, race }] : []
  })
  const isOver = ({ race }: StoredCarRace) => race !== null && race.endedAt !== null
  return {
    areKnown,
    inCar: new Map(
      known
        .filter(({ session }) => shared.includes(session))
        .map(({ session: { id }, race }) => [id, sessionInCar(race) === id]),
    ),
    over: new Set(known.filter(({ race }) => isOver(race)).map(({ session }) => session.id)),
    racing: new Map(
      known
        .filter(({ race }) => isRaceRunning && !isOver(race) && race.race?.startedAt != null)
        .map(({ session: { id }, race }) => [id, carRaceOf(race)]),
    ),
  }
}

interface SessionRowProps {
  session: Session
  photoOf: ReturnType<typeof usePhotos>
  /** False for viewers, and for the user's own session, which the drive section ends. */
  mayEnd: boolean
  /** True for the team's owner if the driver left or was removed: the owner may end the session. */
  hasLeft: boolean
  /** The race of its car, while it runs. */
  racing: CarRace | undefined
  /** Undefined for the only phone of a car, and while it is not known. */
  isInCar: boolean | undefined
  /** The race of its car that runs, if the session is in one that is over. */
  otherRace: string | undefined
}

/**
 * A link to the session's message screen. A session of a silent phone can be ended here by any member, one of a
 * former member by the owner.
 */
function SessionRow(props: SessionRowProps) {
  const { session, photoOf, mayEnd, hasLeft, racing, isInCar, otherRace } = props
  const serverNow = useServerClock()
  useSecond()
  useOpenProblem(session)
  const { id, teamId, name, startedAt } = session
  const to = `/teams/${teamId}/${id}/message`
  const row = {
    plate: <SessionPlate session={session} photoOf={photoOf} />,
    title: hasOpenProblem(session) ? (
      <>
        <Tag urgent>{answersText.word('Problem')}</Tag> {name}
      </>
    ) : (
      name
    ),
    figures: <Elapsed since={startedAt} />,
  }
  const silentMs = silenceMs(session, serverNow())
  const isSilent = silentMs >= mayEndAfterSilenceMs
  const details = [
    (racing && driverAt(racing, serverNow())) || driverName(session),
    ...(isInStop(racing) ? [fuelText.inPits] : []),
    ...(isInCar === undefined ? [] : [isInCar ? carPhonesText.inCar : carPhonesText.notInCar]),
    ...(otherRace === undefined ? [] : [messageText.otherRace(otherRace)]),
    ...(hasLeft
      ? [teamsText.driverLeft]
      : isSilent
        ? [teamsText.silentFor(Math.floor(silentMs / 60_000))]
        : []),
  ]
  const detail = details.join(' · ')
  if (!hasLeft && (!mayEnd || !isSilent)) return <Row {...row} to={to} detail={detail} />
  return (
    <Row
      {...row}
      detail={detail}
      to={to}
      choices={<EndSession session={session} label={teamsText.endNamed(name)} />}
    />
  )
}

/** The drivers of these sessions who are no longer in the team, for its owner, who can end their sessions. */
function useFormerDrivers(teamId: string, sessions: readonly Session[]): Set<UserId> {
  const { id: me } = useMe()
  const { data: team } = useQuery(teamQuery(teamId))
  const others = sessions.map(({ driver }) => driver.id).filter(id => id !== me)
  const { data: members } = useQuery({
    ...membersQuery(teamId),
    enabled: team?.ownerId === me && others.length > 0,
  })
  if (!members || team?.ownerId !== me) return new Set()
  return new Set(others.filter(driver => !members.some(({ id }) => id === driver)))
}
