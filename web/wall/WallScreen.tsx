import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { usePracticeCar } from '#web/teams/practice/usePracticeCar.ts'
import { messageText } from '#web/text/message.ts'
import { wallText } from '#web/text/wall.ts'
import type { HandField } from '#web/timing/handLetters.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { BigWall } from './BigWall.tsx'
import { ChooseCar } from './ChooseCar.tsx'
import { type Choice, choiceOf, chosenLane } from './chosenLane.ts'
import { DriverKey } from './DriverKey.tsx'
import { type Digits, digitOf, withDigits } from './digits.ts'
import { HandKey } from './HandKey.tsx'
import { Lane, SendingLane } from './Lane.tsx'
import { laneName } from './laneName.ts'
import { isRealCar } from './lanes.ts'
import { PhoneKey } from './PhoneKey.tsx'
import { PracticeHint } from './PracticeHint.tsx'
import { allForMs, SendKeys } from './SendKeys.tsx'
import { type CarLane, useLanes } from './useLanes.ts'
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
  const list = useLanes(teamId, usePracticeCar(teamId))
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
  const list = useLanes(teamId, usePracticeCar(teamId))
  const { lanes = [] } = list
  const [choice, setChoice] = useState<Choice | null>(null)
  const [isAll, setAll] = useForAWhile()
  /** The car for which the entry by hand was opened: it must not stay open for another car. */
  const [byHand, setByHand] = useState<{ lane: string; field: HandField } | null>(null)
  const [shownDigits, setDigits] = useState<Digits>(new Map())
  const digits = withDigits(shownDigits, lanes, list.cars)
  if (digits !== shownDigits) setDigits(digits)
  const toasts = useToasts()
  const selected = chosenLane(choice, lanes)
  // An order to all needs no chosen car.
  const sender = selected ?? (isAll ? lanes[0] : undefined)
  const choose = (lane: CarLane) => {
    setChoice(choiceOf(lane))
    setAll(0)
  }
  // Stays chosen when a car that comes before it in the team's order starts.
  if (selected && selected.id !== choice?.id) setChoice(choiceOf(selected))
  const show = (lane: CarLane | undefined) => {
    if (!lane) return false
    // Space must not press what had the focus before, such as the clock.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    choose(lane)
    document.querySelector(`[data-lane="${lane.id}"]`)?.scrollIntoView({ block: 'nearest' })
    return true
  }
  const enter = (field: HandField | null) => {
    if (field && !selected?.race?.race) return false
    setByHand(field && selected ? { lane: selected.id, field } : null)
    return true
  }
  const keys = {
    onDigit: (digit: number) => {
      if (digit > 0) return show(lanes.find(lane => digitOf(digits, lane) === digit))
      if (lanes.filter(isRealCar).length < 2) return show(lanes.find(isRealCar))
      setAll(allForMs)
      return true
    },
    onStep: (by: number) => {
      if (selected) show(lanes[lanes.indexOf(selected) + by])
      else show(by > 0 ? lanes[0] : lanes.at(-1))
    },
    onIgnored: (digit: number | null) => {
      if (digit === null) toasts.error(wallText.keyIgnored, wallText.chooseAgain, keyTopic)
      else toasts.error(wallText.noCarIs(digit), carsLike(digit, digits, lanes), keyTopic)
    },
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
          cover={<Choose teamId={teamId} lane={shared.lane} onChoose={choose} />}
        />
      )}
      keys={
        team === null || lanes.length === 0 ? null : sender ? (
          <SendKeys
            lane={sender}
            lanes={lanes}
            isAll={isAll}
            onAll={setAll}
            onByHand={enter}
            chosen={choice}
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
          </SendKeys>
        ) : (
          <ChooseCar {...keys} />
        )
      }
    />
  )
}

/** The topic of toasts about a key that chose no car. */
const keyTopic = 'wall-key'

/** Names the digits of the cars whose number begins with this one, else of all. */
function carsLike(digit: number, digits: Digits, lanes: readonly CarLane[]): string {
  const numbered = lanes.map(lane => ({ ...laneName(lane.session), digit: digitOf(digits, lane) }))
  const alike = numbered.filter(({ plate }) => plate.startsWith(String(digit)))
  const named = (alike.length > 0 ? alike : numbered).filter(car => car.digit !== null)
  return wallText.carsAre(named.map(car => wallText.carIs(car.full, String(car.digit))))
}

/** A state that ends by itself: the function starts it for this time, again if it runs, and ends it with 0. */
function useForAWhile(): [boolean, (forMs: number) => void] {
  const [started, setStarted] = useState<{ forMs: number } | null>(null)
  useEffect(() => {
    if (!started) return
    const timer = setTimeout(() => setStarted(null), started.forMs)
    return () => clearTimeout(timer)
  }, [started])
  return [started !== null, forMs => setStarted(forMs > 0 ? { forMs } : null)]
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
