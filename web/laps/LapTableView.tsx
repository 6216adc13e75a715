import { useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronRight, Flag } from 'lucide-react'
import { memo, useMemo, useState } from 'react'
import type { PitVisit } from '#contract/pitVisits.ts'
import { isOverGap } from '#racing/laps/drivenLap.ts'
import { stintNumbers, stintTimes } from '#racing/race/carStints.ts'
import { isCompared } from '#racing/race/pace.ts'
import { currentLap } from '#racing/race/raceResult.ts'
import { command } from '#web/api/call.ts'
import {
  averageMs,
  bestLap,
  deltaTenths,
  deltaText,
  isAfterFlag,
  lapTime,
  numbered,
} from '#web/race/lapFigures.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'
import { phoneLabel } from '#web/race/phoneLabel.ts'
import { lapsQuery } from '#web/race/useLaps.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { lapsText } from '#web/text/laps.ts'
import { stintsText } from '#web/text/stints.ts'
import { counterText } from '#web/ui/ages.ts'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useCommand } from '#web/ui/useCommand.ts'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import styles from './LapsScreen.module.css'
import type { DrivenStint } from './lapStints.ts'
import type { ShownLap } from './shownLap.ts'
import { lapNumbers, unseenReason } from './unseenLap.ts'
import type { CarLap, LapsOfCar } from './useCarLaps.ts'

interface Props {
  stints: readonly DrivenStint<CarLap>[]
  race: LapsOfCar
  gpsPoor: boolean
  /** The times in which the data link was off. */
  gaps: readonly LinkGap[]
  /** False for viewers. */
  mayMark: boolean
}

/** Every lap by stint, the newest first. The newest stint is open. */
export function LapTableView({ stints, ...props }: Props) {
  const best = props.gpsPoor ? null : bestLap(stints.flatMap(({ laps }) => laps))
  const { times, numbers } = useStints(props.race)
  return (
    <table className={styles.table}>
      <caption className={typography.hidden}>{lapsText.table}</caption>
      <thead>
        <tr>
          <th scope="col">{lapsText.lap}</th>
          <th scope="col" className={styles.right}>
            {lapsText.time}
          </th>
          <th scope="col">{lapsText.toAverage}</th>
          <th scope="col" className={styles.right}>
            {lapsText.mark}
          </th>
        </tr>
      </thead>
      {stints.toReversed().map((stint, index) => (
        <StintRows
          key={stint.id}
          {...props}
          stint={stint}
          number={numbers.get(stint.id)}
          drivenMs={times.get(stint.id) ?? 0}
          isNewest={index === 0}
          best={best}
        />
      ))}
    </table>
  )
}

/** Returns how long each stint counts, each second while the last one is driven, and the numbers of the stints. */
function useStints(race: LapsOfCar) {
  const isDriven = race.stints.at(-1)?.to === null
  const second = Math.floor(useServerNow(isDriven ? 1000 : null) / 1000)
  return useMemo(
    () => ({ times: stintTimes(race, second * 1000), numbers: stintNumbers(race, second * 1000) }),
    [race, second],
  )
}

interface StintProps extends Omit<Props, 'stints'> {
  stint: DrivenStint<CarLap>
  /** Undefined outside of the race. */
  number: number | undefined
  /** As the wall and the rules count it. */
  drivenMs: number
  isNewest: boolean
  best: CarLap | null
}

/** The rows of a stint. They render each second only while its time changes. */
const StintRows = memo(function StintRows({
  stint,
  number,
  drivenMs,
  isNewest,
  ...props
}: StintProps) {
  const { laps, driver, plate } = stint
  const { gpsPoor } = props
  const title = number === undefined ? stintsText.notInRace : stintsText.stint(wholeNumber(number))
  const time = drivenMs > 0 ? counterText(drivenMs) : null
  // A stint that a member opened or closed stays so when the next one begins.
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isOpen = chosen ?? isNewest
  const average = averageMs(laps)
  const ownBest = bestLap(laps)
  return (
    <tbody>
      <tr className={styles.stint}>
        <th scope="rowgroup" colSpan={4}>
          <button type="button" aria-expanded={isOpen} onClick={() => setChosen(!isOpen)}>
            <ThreeLetterPlate name={plate} quiet={!isNewest} />
            <span>
              <b>{[title, ...(time === null ? [] : [time])].join(' · ')}</b>
              <span className={typography.sub}>
                {[driver, lapsOf(stint, props.race)].filter(each => each !== null).join(' · ')}
              </span>
              {ownBest && average !== null && !gpsPoor && (
                <span className={`${typography.sub} ${styles.pace}`}>
                  {lapsText.pace(lapTime(ownBest.timeMs), lapTime(average))}
                </span>
              )}
            </span>
            {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          </button>
        </th>
      </tr>
      {isOpen &&
        laps
          .filter(isRow)
          .toReversed()
          .map(lap => <LapRow key={lap.startedAt} {...props} lap={lap} average={average} />)}
    </tbody>
  )
})

/** The way from a box to a line just after it is shorter. */
const shortestOutMs = 10_000

function isRow({ number, kind, timeMs }: CarLap): boolean {
  return number > 0 || kind !== 'out' || timeMs >= shortestOutMs
}

interface LapProps extends Omit<StintProps, 'stint' | 'number' | 'drivenMs' | 'isNewest'> {
  lap: CarLap
  /** Average lap of the stint; null without one. */
  average: number | null
}

function LapRow({ lap, race, gpsPoor, gaps, mayMark, best, average }: LapProps) {
  const { laps, phones, visits } = race
  const endedAt = lap.startedAt + lap.timeMs
  const visit = visits.find(({ startedAt }) => startedAt >= lap.startedAt && startedAt < endedAt)
  const compared = lap.number > 0 && isCompared(lap)
  const isBest = lap === best
  const before = laps[laps.indexOf(lap) - 1]
  const isOtherPhone = before !== undefined && before.sessionId !== lap.sessionId
  return (
    <tr data-best={isBest || undefined} data-compared={compared}>
      <td>{lapNumbers(lap, before)}</td>
      <td className={styles.time}>{lap.isSeen ? lapTime(lap.timeMs, gpsPoor) : '--'}</td>
      <td>
        {compared && !gpsPoor && average !== null && (
          <Delta tenths={deltaTenths(lap.timeMs, average)} />
        )}
      </td>
      <td className={styles.right}>
        <span className={styles.ends}>
          <span className={styles.marks}>
            {isOtherPhone && (
              <span className={styles.mark} data-mark="phone">
                {phoneLabel(phones, lap.sessionId)}
              </span>
            )}
            {isAfterFlag(lap, race) && (
              <span className={styles.mark} data-mark="after">
                {lapsText.marks.after}
              </span>
            )}
            {marksOf(lap, { isBest, visit, unseen: unseenReason(lap, gaps) }).map(
              ([name, text]) => (
                <span key={name} className={styles.mark} data-mark={name}>
                  {text}
                </span>
              ),
            )}
          </span>
          {mayMark && lap.marked !== undefined && lap.number > 0 && <MarkLap lap={lap} />}
        </span>
      </td>
    </tr>
  )
}

function Delta({ tenths }: { tenths: number }) {
  const className = tenths < 0 ? styles.faster : tenths > 0 ? styles.slower : undefined
  return <span className={className}>{deltaText(tenths)}</span>
}

interface MarkedBy {
  isBest: boolean
  visit: PitVisit | undefined
  unseen: ReturnType<typeof unseenReason>
}

/** Returns the plates of a lap, as name and text. */
function marksOf(lap: ShownLap, { isBest, visit, unseen }: MarkedBy) {
  const { kind, yellow, yellowMessage, yellowFlag } = lap
  const { marks } = lapsText
  const all: [string, string][] = []
  const stop = visit && stopText(visit)
  // One over a gap is no part of a lap, but several laps.
  if (kind !== 'full' && !(kind === 'pit' && stop) && !isOverGap(lap)) all.push([kind, marks[kind]])
  if (stop) all.push(['pit', stop])
  if (yellow)
    all.push(['yellow', yellowFlag ? marks.flag(yellowFlag) : (yellowMessage ?? marks.yellow)])
  if (unseen) all.push([unseen, marks[unseen]])
  if (isBest) all.push(['best', marks.best])
  return all
}

/** Names a visit that began in a lap with its time from pit-in to pit-out: Pit 3:06. */
function stopText({ startedAt, endedAt }: PitVisit): string {
  const { marks, stop } = lapsText
  return endedAt === null ? marks.pit : stop(counterText(endedAt - startedAt))
}

/** Names the laps of a stint, or the lap being driven, before the first has ended; null for a part of a lap. */
function lapsOf({ laps }: DrivenStint<CarLap>, race: LapsOfCar): string | null {
  if (laps.length === 0) return lapsText.onLap(wholeNumber(currentLap(race) ?? 1))
  // The part of a lap before the first crossing has the number 0, which is not shown.
  const from = Math.max(1, laps[0]?.number ?? 1)
  // A lap after the flag has it too.
  const to = numbered(laps).at(-1)?.number ?? 0
  if (to < from) return null
  return to === from
    ? lapsText.stintLap(wholeNumber(from))
    : lapsText.stintLaps(wholeNumber(from), wholeNumber(to))
}

/** A lap that began with another phone is marked this long before its end: the phone saw that part. */
const beforeEndMs = 5000

/** A switch that marks a lap yellow, in the session of the phone that saw its end. */
function MarkLap({ lap }: { lap: CarLap }) {
  const { sessionId, number, startedAt, timeMs, isSeen, marked } = lap
  const at = Math.floor(
    startedAt + (isSeen ? timeMs / 2 : Math.max(timeMs / 2, timeMs - beforeEndMs)),
  )
  const client = useQueryClient()
  const mark = useCommand({
    failed: lapsText.markFailed,
    send: (next: boolean) => command('laps.mark', { sessionId, at, marked: next }),
    // A later change may have been published before the response arrived.
    onSuccess: table => {
      const { queryKey } = lapsQuery(sessionId)
      // Only the first page.
      if (table.next !== undefined) return client.invalidateQueries({ queryKey })
      client.setQueryData(queryKey, known =>
        (known?.revision ?? 0) > (table.revision ?? 0) ? known : table,
      )
    },
  })
  const label = lapsText.markYellow(wholeNumber(number))
  return (
    <button
      type="button"
      className={styles.flag}
      aria-pressed={mark.isPending ? mark.variables : marked}
      aria-label={label}
      title={label}
      aria-disabled={mark.isPending || undefined}
      onClick={() => !mark.isPending && mark.mutate(!marked)}
    >
      <Flag size={20} aria-hidden />
    </button>
  )
}
