import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { laneName } from '#web/message/laneName.ts'
import { isRealCar } from '#web/message/lanes.ts'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import type { HandField } from '#web/timing/handLetters.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { BigWall } from './BigWall.tsx'
import { ChooseCar } from './ChooseCar.tsx'
import { DriverKey } from './DriverKey.tsx'
import { digitOf } from './digits.ts'
import { HandKey } from './HandKey.tsx'
import { Lane, SendingLane } from './Lane.tsx'
import { PhoneKey } from './PhoneKey.tsx'
import { PracticeHint } from './PracticeHint.tsx'
import { SendKeys } from './SendKeys.tsx'
import { type CarLane, useTeamLanes } from './useLanes.ts'
import { useProblemLane } from './useProblemLane.ts'
import { useWallChoice } from './useWallChoice.ts'
import styles from './Wall.module.css'
import { Wall } from './Wall.tsx'

interface Props {
  teamId: string
  /** Null while loading. */
  team: string | null
}

/** The pit wall of a member, or of a television with `?big`. */
export function WallScreen() {
  usePageTitle(wallText.title)
  const { teamId = '' } = useParams()
  const [search] = useSearchParams()
  const { data: team } = useQuery(teamQuery(teamId))
  if (search.has('big')) return <BigWall teamId={teamId} team={team?.name ?? ''} />
  const shared = { teamId, team: team?.name ?? null }
  if (team?.role === 'viewer') return <ViewerWall {...shared} />
  return <SendingWall {...shared} />
}

/** The wall of a member who sends nothing: a press on a car opens it. */
function ViewerWall({ teamId, team }: Props) {
  const list = useTeamLanes(teamId)
  return (
    <Wall
      {...list}
      team={team}
      teamPath={`/teams/${teamId}`}
      renderLane={shared => (
        <Lane
          key={shared.lane.id}
          {...shared}
          cover={<Open teamId={teamId} lane={shared.lane} always />}
        />
      )}
      keys={list.lanes?.length ? <p className={styles.viewer}>{messageText.viewOnly}</p> : null}
    />
  )
}

/** The wall of an editor: the chosen car is the one that the keys send to. */
function SendingWall({ teamId, team }: Props) {
  const list = useTeamLanes(teamId)
  const { lanes = [] } = list
  const { selected, all, setAll, digits, choose, keys } = useWallChoice(list)
  const isAll = all !== null
  const problemLane = useProblemLane(lanes, isAll ? null : selected)
  /** The car for which the entry by hand was opened: it must not stay open for another car. */
  const [byHand, setByHand] = useState<{ lane: string; field: HandField } | null>(null)
  /** The car whose litres were opened. */
  const [litresOf, setLitresOf] = useState<string | null>(null)
  // An order to all needs no chosen car.
  const sender = selected ?? (isAll ? lanes[0] : undefined)
  const enter = (field: HandField | null) => {
    if (field && !selected?.race?.race) return false
    setByHand(field && selected ? { lane: selected.id, field } : null)
    return true
  }
  const openLitres = () => {
    if (!selected?.race?.car) return false
    setLitresOf(selected.id)
    return true
  }
  return (
    <Wall
      {...list}
      mayChangeRace
      hint={<PracticeHint teamId={teamId} />}
      team={team}
      teamPath={`/teams/${teamId}`}
      renderLane={shared => (
        <SendingLane
          key={shared.lane.id}
          {...shared}
          selected={isAll ? isRealCar(shared.lane) : shared.lane.id === selected?.id}
          digit={digitOf(digits, shared.lane)}
          hasLetters={!isAll && shared.lane.id === selected?.id}
          isNextProblem={shared.lane.id === problemLane}
          cover={<Choose teamId={teamId} lane={shared.lane} onChoose={choose} />}
        />
      )}
      keys={
        team === null || lanes.length === 0 ? null : sender ? (
          <SendKeys
            lane={sender}
            {...{ lanes, all, problemLane }}
            onAll={setAll}
            onByHand={enter}
            onLitres={openLitres}
            {...keys}
          >
            {isRealCar(sender) && <DriverKey key={`driver ${sender.id}`} lane={sender} />}
            <HandKey
              key={`hand ${sender.id}`}
              lane={sender}
              field={byHand?.lane === sender.id ? byHand.field : null}
              onOpen={enter}
            />
            <PhoneKey key={`phone ${sender.id}`} lane={sender} />
            {litresOf === sender.id && (
              <RefuelSheet sessionId={sender.session.id} onClose={() => setLitresOf(null)} />
            )}
          </SendKeys>
        ) : (
          <ChooseCar {...keys} />
        )
      }
    />
  )
}

interface ChooseProps {
  teamId: string
  lane: CarLane
  onChoose: (lane: CarLane) => void
}

/** Makes a car the one that the keys send to; on narrow screens a link opens it. */
function Choose({ teamId, lane, onChoose }: ChooseProps) {
  return (
    <>
      <button
        type="button"
        className={`${styles.cover} ${styles.choose}`}
        aria-label={wallText.choose(laneName(lane.session).full)}
        onClick={() => onChoose(lane)}
      />
      <Open teamId={teamId} lane={lane} />
    </>
  )
}

interface OpenProps {
  teamId: string
  lane: CarLane
  /** On narrow screens only, unless set. */
  always?: boolean
}

/** Opens the message screen of a car. */
function Open({ teamId, lane: { session }, always = false }: OpenProps) {
  return (
    <Link
      className={`${styles.cover} ${always ? '' : styles.open}`}
      to={`/teams/${teamId}/${session.id}/message`}
      aria-label={wallText.openCar(laneName(session).full)}
    />
  )
}
