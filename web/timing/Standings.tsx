import { Fragment, type ReactNode, useState } from 'react'
import type { Standing } from '#contract/timing.ts'
import type { GhostStop } from '#racing/timing/ghostStop.ts'
import type { AfterOwedStops } from '#racing/timing/owedStops.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { timingText } from '#web/text/timing.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { gapText } from './figures.ts'
import { behindText, lossText, placesText } from './ghostFigures.ts'
import styles from './Standings.module.css'

/** The stops that the rules demand of each car, and the cars after them. */
export interface StopsOwed {
  readonly required: number
  readonly after: ReadonlyMap<Standing, AfterOwedStops>
}

interface Props {
  standings: readonly Standing[]
  /** Numbers of the team's cars. */
  own: readonly string[]
  /** Names of drivers or entrants, by the numbers of their cars; none for viewers. */
  names: ReadonlyMap<string, string>
  /** The ghosts of the team's cars, by number, as far as they are known. */
  ghosts: ReadonlyMap<string, GhostStop>
  /** False: the order is grey. */
  isCurrent: boolean
  /** Null if the rules demand no stops. */
  stops: StopsOwed | null
}

/** The cars that are shown: all, the team's, or those of a class. */
type Shown = 'all' | 'ours' | { readonly className: string }

/** The official order with its gaps: of all cars, of a class of the team's cars, or of these alone. */
export function Standings({ standings, own, names, ghosts, isCurrent, stops }: Props) {
  const [shown, setShown] = useState<Shown>('all')
  const isOwn = ({ number }: Standing) => number !== null && own.includes(number)
  const classes = [
    ...new Set(standings.filter(isOwn).flatMap(({ className }) => className ?? [])),
  ].sort()
  const rows = standings.filter(car =>
    shown === 'all' ? true : shown === 'ours' ? isOwn(car) : car.className === shown.className,
  )
  const { columns } = timingText
  return (
    <>
      {classes.length > 0 && <Choice {...{ classes, shown }} onChange={setShown} />}
      <table className={styles.table} data-old={!isCurrent || undefined}>
        <thead>
          <tr>
            <th scope="col">{columns.position}</th>
            <th scope="col">{columns.car}</th>
            <th scope="col">{columns.class}</th>
            <th scope="col" data-right>
              {columns.last}
            </th>
            <th scope="col" data-right data-wide>
              {columns.best}
            </th>
            <th scope="col" data-right data-wide>
              {columns.laps}
            </th>
            <th scope="col" data-right>
              {columns.gap}
            </th>
            <th scope="col" data-right data-wide>
              {columns.ahead}
            </th>
            <th scope="col" data-right data-wide>
              {columns.classGap}
            </th>
            {stops && (
              <th scope="col" data-right data-wide>
                {columns.owed}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((car, index) => (
            <Fragment key={`${car.position} ${car.number}`}>
              <Row
                car={car}
                name={names.get(car.number ?? '')}
                isOwn={isOwn(car)}
                leads={car.position === 1}
              >
                {stops && <OwedCell stops={stops} car={car} />}
              </Row>
              {ghostsBetween(ghosts, car, rows[index + 1]).map(([number, ghost]) => (
                <GhostRow key={number} number={number} ghost={ghost} hasOwed={stops !== null} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Returns the ghosts between two rows: after its stop a car is behind the ones that are ahead of that place now. */
function ghostsBetween(
  ghosts: ReadonlyMap<string, GhostStop>,
  car: Standing,
  next: Standing | undefined,
) {
  return [...ghosts].filter(
    ([, { position }]) =>
      position >= car.position && (next === undefined || position < next.position),
  )
}

interface ChoiceProps {
  classes: readonly string[]
  shown: Shown
  onChange: (shown: Shown) => void
}

function Choice({ classes, shown, onChange }: ChoiceProps) {
  return (
    <fieldset className={styles.choices} aria-label={timingText.shown}>
      <button type="button" aria-pressed={shown === 'all'} onClick={() => onChange('all')}>
        {timingText.all}
      </button>
      {classes.map(className => (
        <button
          key={className}
          type="button"
          aria-pressed={typeof shown === 'object' && shown.className === className}
          onClick={() => onChange({ className })}
        >
          {timingText.ofClass(className)}
        </button>
      ))}
      <button type="button" aria-pressed={shown === 'ours'} onClick={() => onChange('ours')}>
        {timingText.ours}
      </button>
    </fieldset>
  )
}

/** The place of a car after all owed stops, and how many it has made. */
function OwedCell({ stops: { required, after }, car }: { stops: StopsOwed; car: Standing }) {
  const { owed = null, places = null } = after.get(car) ?? {}
  return (
    <td data-right data-wide>
      <b>{places ? timingText.places(places.best, places.worst) : timingText.notKnown}</b>
      {owed !== null && <small>{timingText.stopsOf(required - owed, required)}</small>}
    </td>
  )
}

interface RowProps {
  car: Standing
  name: string | undefined
  isOwn: boolean
  leads: boolean
  children: ReactNode
}

function Row({ car, name, isOwn, leads, children }: RowProps) {
  const { position, number, className, classPosition, lastMs, bestMs, laps } = car
  const time = (ms: number | null) => (ms === null ? timingText.notKnown : lapTime(ms))
  return (
    <tr data-own={isOwn || undefined}>
      <th scope="row">P{position}</th>
      <td>
        <CarPlate number={number ?? '?'} outlined={!isOwn} />
        {name !== undefined && (
          // Never in a support visit.
          <small data-private data-openreplay-hidden="">
            {name}
          </small>
        )}
      </td>
      <td>
        {className !== null && (
          <span className={styles.class}>
            {className} {classPosition}
          </span>
        )}
      </td>
      <td data-right>
        <b>{time(lastMs)}</b>
      </td>
      <td data-right data-wide>
        {time(bestMs)}
      </td>
      <td data-right data-wide>
        {laps ?? timingText.notKnown}
      </td>
      <td data-right>
        <b>{leads ? timingText.leads : gapText(car.toLeader)}</b>
      </td>
      <td data-right data-wide>
        {leads ? '' : gapText(car.toAhead)}
      </td>
      <td data-right data-wide>
        {classPosition === null || classPosition === 1 ? '' : gapText(car.toAheadInClass)}
      </td>
      {children}
    </tr>
  )
}

interface GhostRowProps {
  number: string
  ghost: GhostStop
  /** True if the table has a column of owed stops. */
  hasOwed: boolean
}

/** The place of a car of the team if it stopped now, in hollow letters and dashed lines. */
function GhostRow({ number, ghost, hasOwed }: GhostRowProps) {
  return (
    <tr data-ghost>
      <th scope="row">{placesText(ghost)}</th>
      <td>
        <CarPlate number={number} outlined />
      </td>
      <td colSpan={3}>
        {timingText.ifPitsNow(number)}
        <b>{behindText(ghost)}</b>
      </td>
      <td colSpan={hasOwed ? 5 : 4} data-right data-wide>
        {timingText.stop(lossText(ghost.loss))}
      </td>
    </tr>
  )
}
