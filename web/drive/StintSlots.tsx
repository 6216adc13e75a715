import type { ReactNode } from 'react'
import { LapBoardFoot } from '#web/laps/LapBoardView.tsx'
import type { RaceFigure } from '#web/race/raceFigure.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { stintBoardText } from '#web/text/stintBoard.ts'
import { useGlass } from '#web/timing/useGlass.ts'
import { Foot } from './Foot.tsx'
import { GlassPlace } from './GlassPlace.tsx'
import styles from './StintSlots.module.css'
import type { StintBoard } from './stintBoard.ts'
import { type DrivenStint, showsStint, useStintBoard } from './useStintBoard.ts'

/** Most characters of the stint, its rest and its word that fit on one line at 320 px. */
const maxCharactersAt320 = 16

/** Laps to pit and the stint, or the official place of the car, as two slots of the lap board. */
export function StintSlots({ sessionId, ...stint }: DrivenStint & { sessionId: string }) {
  const board = useStintBoard(stint)
  const { place } = useGlass(sessionId, stint.race)
  if (!board) return null
  const { pitIn, race, unknown } = board
  const clock = pitIn ? board : { ...board, race: null }
  return (
    <>
      {pitIn ? <NextStop {...pitIn} /> : race && <RaceSlot {...race} note={unknown} />}
      {place === undefined ? <StintClock {...clock} /> : <GlassPlace place={place} />}
    </>
  )
}

function NextStop({ word, left, unit, about, isSoon }: NonNullable<StintBoard['pitIn']>) {
  return (
    <p className={styles.pit} data-soon={isSoon || undefined}>
      <span className={styles.word}>
        <b>{word}</b>
        {about && <small>{about}</small>}
      </span>
      {left !== null && (
        <b
          className={styles.laps}
          data-long={left.length > 2 || unit !== null || undefined}
          data-hundreds={(left.length > 2 && unit !== null) || undefined}
        >
          {left}
          {unit !== null && <small> {unit}</small>}
        </b>
      )}
    </p>
  )
}

/** The race clock where no stop is known. */
function RaceSlot({ label, value, note }: RaceFigure & { note: string | null }) {
  return (
    <div className={styles.minutes} data-openreplay-hidden="">
      <p className={styles.label}>
        {label}
        {note && <span>{note}</span>}
      </p>
      <b className={styles.time}>{value}</b>
    </div>
  )
}

/** The next stop below a message that was read, if the car comes in in this lap. */
export function DueStop(stint: DrivenStint) {
  const { pitIn } = useStintBoard(stint) ?? {}
  if (!pitIn?.isSoon || pitIn.left !== null) return null
  return (
    <p className={styles.due} data-due="">
      {pitIn.word}
      {pitIn.word === stintBoardText.pitIn && <small>{pitIn.about}</small>}
    </p>
  )
}

/** The official place alone, of a car without a stint. */
export function PlaceSlot({ sessionId, race }: { sessionId: string; race: CarRace }) {
  const { place } = useGlass(sessionId, race)
  return place === undefined ? null : <GlassPlace place={place} />
}

/** True if the team shows the official place of the car, or a gap, on its glass. */
export function showsPlace({ officialTiming, glass = [] }: CarRace): boolean {
  return officialTiming && glass.some(part => part !== 'flag')
}

/** The time left of the stint, whose slot has the place; without a limit, what `Foot` shows. */
export function StintFoot({ isPoor, ...stint }: DrivenStint & { isPoor: boolean }) {
  const left = useStintBoard(stint)?.stint.left
  if (!left) return <Foot gps={stint.gps} isPoor={isPoor} />
  return <LapBoardFoot {...left.short} />
}

/**
 * The stint, or the official place of the car, and minutes to the next stop share the screen where laps are not timed. The
 * place leaves the foot to the time left of the stint.
 */
export function UntimedSlots({
  sessionId,
  foot,
  ...stint
}: DrivenStint & { sessionId: string; foot: ReactNode }) {
  const known = useStintBoard(stint)
  const board = showsStint(stint.race) ? known : null
  const { place } = useGlass(sessionId, stint.race)
  if (!board && place === undefined) return null
  const left = place === undefined ? null : board?.stint.left
  return (
    <section className={styles.untimed} aria-label={stintBoardText.board} data-lap-board="">
      {place === undefined ? board && <StintClock {...board} /> : <GlassPlace place={place} />}
      {board !== null && board.minutes !== null && (
        <p className={styles.minutes}>
          <span className={styles.label}>{stintBoardText.pitInMinutes}</span>
          <b className={styles.time}>{board.minutes}</b>
        </p>
      )}
      {/* It changes every second: not worth recording in a support visit. */}
      <p className={styles.foot} data-openreplay-hidden="">
        {left ? `${left.short.figure} ${left.short.text}` : foot}
      </p>
    </section>
  )
}

function StintClock({ stint: { time, left, percent }, race }: Pick<StintBoard, 'stint' | 'race'>) {
  return (
    <div className={styles.stint} data-openreplay-hidden="">
      <p className={styles.label}>
        {stintBoardText.stint}
        {race && (
          <span data-paused={race.label === raceClockText.paused || undefined}>
            {race.label} <b>{race.value}</b>
          </span>
        )}
      </p>
      <p className={styles.clock}>
        <b className={styles.time} data-hours={time.length > 5 || undefined}>
          {time}
        </b>
        {left && (
          <span
            className={styles.left}
            data-long={(time + left.time + left.word).length > maxCharactersAt320 || undefined}
          >
            {left.time} <small>{left.word}</small>
          </span>
        )}
      </p>
      {percent !== null && (
        <p className={styles.bar} aria-hidden>
          <i style={{ width: `${percent}%` }} />
        </p>
      )}
    </div>
  )
}
