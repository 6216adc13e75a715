import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import type { Session } from '#contract/sessions.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import type { Sending } from '#web/message/useSendMessage.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { BigWall } from './BigWall.tsx'
import { ChooseCar } from './ChooseCar.tsx'
import { type Choice, choiceOf, chosenSession } from './chosenSession.ts'
import { DriverKey } from './DriverKey.tsx'
import { drivingSessions } from './drivingSessions.ts'
import { Lane, SendingLane } from './Lane.tsx'
import { laneName } from './laneName.ts'
import { SendKeys } from './SendKeys.tsx'
import { useCrossings } from './useCrossings.ts'
import { useLanes } from './useLanes.ts'
import styles from './Wall.module.css'
import { Wall } from './Wall.tsx'
import type { RenderRaceDialog } from './WallClock.tsx'
import { WallProposals } from './WallProposals.tsx'

/** The pit wall of a member: the chosen car is the one that the keys send to. */
export function WallScreen({ renderRaceDialog }: { renderRaceDialog: RenderRaceDialog }) {
  usePageTitle(wallText.title)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  const { lanes, error, isFetching, refetch } = useLanes(teamId)
  const [choice, setChoice] = useState<Choice | null>(null)
  const { sessions, areLoaded } = useCrossings(lanes)
  const driven = drivingSessions(sessions)
  const selected = chosenSession(choice, lanes ?? [], driven)
  const next = selected && choiceOf(selected, driven)
  // Stays chosen when a car that comes before it in the team's order starts.
  if (next && areLoaded && (next.id !== choice?.id || next.drivenId !== choice.drivenId))
    setChoice(next)
  const senders = useRef(new Map<string, Sending['press']>())
  const onSender = useCallback((id: string, send: Sending['press'] | null) => {
    if (send) senders.current.set(id, send)
    else senders.current.delete(id)
  }, [])
  const isViewer = team?.role === 'viewer'
  const [search] = useSearchParams()
  if (search.has('big')) return <BigWall teamId={teamId} team={team?.name ?? ''} />

  function choose(place: number) {
    const lane = lanes?.[place]
    if (!lane) return
    setChoice(choiceOf(lane, driven))
    document.querySelector(`[data-lane="${lane.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }

  return (
    <Wall
      team={team?.name ?? null}
      lanes={lanes}
      teamPath={`/teams/${teamId}`}
      failure={
        error && {
          message: refusalText(error),
          retrying: isFetching,
          onRetry: () => void refetch(),
        }
      }
      proposals={team && !isViewer && <WallProposals lanes={lanes ?? []} />}
      renderRaceDialog={isViewer ? null : renderRaceDialog}
      renderLane={shared => {
        const { session } = shared
        if (isViewer)
          return (
            <Lane
              key={session.id}
              {...shared}
              cover={<Open teamId={teamId} session={session} always />}
            />
          )
        return (
          <SendingLane
            key={session.id}
            {...shared}
            selected={session.id === selected?.id}
            onSender={onSender}
            cover={
              <>
                <button
                  type="button"
                  className={`${styles.cover} ${styles.choose}`}
                  aria-label={wallText.choose(laneName(session).full)}
                  onClick={() => setChoice(choiceOf(session, driven))}
                />
                <Open teamId={teamId} session={session} />
              </>
            }
          />
        )
      }}
      keys={
        team &&
        lanes &&
        lanes.length > 0 &&
        (isViewer ? (
          <p className={styles.viewer}>{messageText.viewOnly}</p>
        ) : selected ? (
          areLoaded && (
            <SendKeys
              session={selected}
              name={laneName(selected)}
              onSend={({ type, colour }, ask) =>
                senders.current.get(selected.id)?.(type, { ask, colour })
              }
              onCar={choose}
              onStep={by => choose(lanes.indexOf(selected) + by)}
            >
              <DriverKey key={selected.id} session={selected} />
            </SendKeys>
          )
        ) : (
          choice && (
            <ChooseCar onCar={choose} onStep={by => choose(by > 0 ? 0 : lanes.length - 1)} />
          )
        ))
      }
    />
  )
}

interface OpenProps {
  teamId: string
  session: Session
  /** On narrow screens only, unless set. */
  always?: boolean
}

/** Opens the message screen of a car. */
function Open({ teamId, session, always = false }: OpenProps) {
  return (
    <Link
      className={`${styles.cover} ${always ? '' : styles.open}`}
      to={`/teams/${teamId}/${session.id}/message`}
      aria-label={wallText.openCar(laneName(session).full)}
    />
  )
}
